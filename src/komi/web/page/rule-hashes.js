/** The SHA-256 hashes of the built-in rules in JavaScript. scripts/rule_hashes.py writes this file. */

/** @type {Record<string, string>} */
export const RULE_HASHES = {
  __proto__: null, // a game may have the name of an Object property
  "big-pig": "cfcc8341b76ad02c8d90c2747dca9da291a805234810688201b4ffead9dd46e5",
  farkle: "3d9ed010447b3749694afa7b7173b0d3020158a0bce2c33eb1c2b90d24dec7e6",
  "fowl-play": "5c354abe098004cb0c8b52fd814ff45fd9096bfd7dd4d022d423783724747453",
  hog: "cc56c4dbf8a96b6fb829e05392e62f8d26d9c377c7a48dc160ebd3caa5dcdbd6",
  hooligan: "0473f9374214972f9ea4b14282a1661d565f2dac6932de6f8d9347f05a382cef",
  "pass-the-pigs": "6781fd3b4d938fec4dba71604220100cb11d7a57f7b2a5804072081b50ceed73",
  pig: "1eaf0f5c12ebc524361108ab08da91628ae7ab027f8b5ef99e9c781b281e2b40",
  "pig-solitaire": "2027f80ee0df373e4954639d13f0eac2ee41355d17a3efbb236b398f18a29a53",
  piglet: "3cb7a89fcffd0b361ae9cb382e5f669db32da9059135165a38a9f27c8379ee98",
  "progressive-pig": "b574ea5d31f054783573f32144290610ba6dd37986e131b54dbf078ac5461a99",
  "red-light": "0afe4246df9a55afba3dd3499aa95d6b0c0f301c7559713232e3e9f35bdf3e6d",
  red7: "1fb836c634c60c8bb31b3b74d8eae818cb69955471bec652c1e38bd22cefae3a",
  "risk-battle": "7a2a76bca8d74e1e5a1871948aa15b75f690eb3773854419220c75dd161a0530",
  "risk-chain": "f3cfdce2d79645082926f8a806a19a85aca4cb4c958e1f1806e267c827ef5817",
  "royal-game-of-ur": "9176d7ab44a6b116e00b9e8c9bf1377b4d1adb8fc8f33e7d75321e354d30e4db",
  skunk: "1e178dd584d34692a19ca17b37ba889c9b9545f44efd1969180fc52eeca1d40d",
  "ten-thousand": "a6aab695dbc13e52520d24fd61a22aac359610a3279b91404f4b70b6af1b030a",
  think: "6926e8f9215949a5e3dc7b837c65e99e8516564e0e53d2fa26289009380b8716",
  "traffic-lights": "4c9f5c4d3d075a8d09ca757aedb820a84c71b0f4a38b51d5c8c71711f14d3de4",
  "two-dice-pig": "93edb5e36d4caf971597499eec896c8213123f5a2043f92e7e3d2492a4cdd6a7",
  yahtzee: "011af890bd84acf941dc038dfd21ba73dc8485f6e043ca9b89697baad9cba38a",
};
