/** The SHA-256 hashes of the built-in rules in JavaScript. scripts/rule_hashes.py writes this file. */

/** @type {Record<string, string>} */
export const RULE_HASHES = {
  __proto__: null, // a game may have the name of an Object property
  "big-pig": "76786ab6aa4c0e73c730d2647bc340941c7521e553ce03bc8d8c91833a1c4f20",
  farkle: "1ec743e1e4e0ee1429d6afae012f1c2d1df2d0a00e95d5b47c793be7ed11d845",
  "fowl-play": "90d4639290d849b5e505cabd9342baf2f78e320d9a0c0e36ae411d77c45ee84a",
  hog: "cc56c4dbf8a96b6fb829e05392e62f8d26d9c377c7a48dc160ebd3caa5dcdbd6",
  hooligan: "cf06c3fa22231fccc77523289237e9b8e846e286859ab92bb4b7a09d3a6fa087",
  "pass-the-pigs": "869c82ff3370c999c845061bd106d3c014a41e9858781885cc0a90451bf536b9",
  pig: "6263f86ebc32fc534635a40df5838a62b9a32b04dafdae106de2ebcb1e31fe46",
  "pig-solitaire": "87de566b5b8e17de1d5fe5ea08c1a768463cc651785ad79faf680490f6829f33",
  piglet: "dca20ba7b89d69b3dbd3c5f97469fc0dfc028b8b385f1e480bfecd43d7671853",
  "progressive-pig": "954f89c762b1e7f2b839f4af843240fdb26e275b0917e85b72838fb7128d725a",
  "red-light": "b5c35d61e80b4028028da5f90c501357a13c604ccb1c4d0a80b300ad2d19e545",
  red7: "4d4ae8c6c0e56cc5ede6db8d24505ec240f4756cc90d153c59f626885b7b3946",
  "risk-battle": "7a2a76bca8d74e1e5a1871948aa15b75f690eb3773854419220c75dd161a0530",
  "risk-chain": "f3cfdce2d79645082926f8a806a19a85aca4cb4c958e1f1806e267c827ef5817",
  "royal-game-of-ur": "b2ecd70b3058330dfd3a93c105101a9ab61e3ea910a09a0f3578593257baab5c",
  skunk: "a141e3b6f9190b75f6e9ab1d4e7459c2fa1aa4c6f417d3ee2cf840b2e810b0b7",
  "ten-thousand": "3ffc3605bbdcaa7a9cbd3b5e3dbbbc7eb544224787ee9a6cb3d2688042646e97",
  think: "2eb1bfee3f80fe9b32d0110eed4c8320457e9fe6166db6aace0e656fe412cefb",
  "traffic-lights": "a8d4589aa08d27631b9ffea19d19d4d8e5d14b17cad95de51c54512cb03d70fe",
  "two-dice-pig": "478903271cb6837a716550e2eea1b433acacdebbfae3874b22079352fe5b078e",
  yahtzee: "7a2e460d9be35ee2602e5b650b0c98dbfa55090da7160d7d246808f8181e9746",
};
