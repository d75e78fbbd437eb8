"""Translation of rule files into other languages."""
