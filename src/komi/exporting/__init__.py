"""Export of policies to self-contained files in Python, C or JavaScript, and of networks to ONNX."""
