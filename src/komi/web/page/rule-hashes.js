/** The SHA-256 hashes of the built-in rules in JavaScript. scripts/rule_hashes.py writes this file. */

/** @type {Record<string, string>} */
export const RULE_HASHES = {
  __proto__: null, // a game may have the name of an Object property
  "big-pig": "3e212524b82b127227a31f0b043815dc4726ea80d45dac7be1439755f1557313",
  farkle: "bdef2e0bce4627e4cf79fcf461dd02f831a8f59d56e88f4db3a8f2fa04b5127e",
  "fowl-play": "b0905f64552fb88b541c4951aefd53cb8cd037d4d82b6d81bdaeafcef453fa8d",
  hog: "cc56c4dbf8a96b6fb829e05392e62f8d26d9c377c7a48dc160ebd3caa5dcdbd6",
  hooligan: "33c8990fe2037b2c8b2475aa873ed80b8dd1e646950964c41615337cc35c9caa",
  "pass-the-pigs": "a081a8ffefe62982e121a13e6b189ab6ca9d38bf41c220a9afa0883bd3a1ccd1",
  pig: "5f6ba5eafaf7126d89a48dd9b1a946fae368929c94e4406d78b4385ca2b6c762",
  "pig-solitaire": "f1a756031bdd6ac98500143abac2aa71006fa23f4c90a564893b692638c901f3",
  piglet: "88ee100d89e96371616987dd3a828e0bff0f4ca18efc3d223d2c80722f363fe5",
  "progressive-pig": "46d093c4c2dd3578c08c088a1201d3a9e5b328947fcd98cbd9c0c91b4c77ef32",
  "red-light": "aba4563316a78d6d07245561b0c793aeaaaac980d63341c2608820a2e1fbafa1",
  red7: "3aeeab12add327b69e361a13bdb4ed8d503f8c05d0b2bfcee5f76edf21ff5aa0",
  "risk-battle": "7a2a76bca8d74e1e5a1871948aa15b75f690eb3773854419220c75dd161a0530",
  "risk-chain": "f3cfdce2d79645082926f8a806a19a85aca4cb4c958e1f1806e267c827ef5817",
  "royal-game-of-ur": "939dbf5f451701c3d6e18bff1815b00ebd08d36dd6fdea49cb9650ac6db0dfec",
  skunk: "81cc074b4916cbf18e61694313dbd5ceeedb3e75b9dfe98102694b8b9b20ceb4",
  "ten-thousand": "00a3f3e7fd1b47e0c91b86a3e904c94c7269ece2a670a5069a51856d0fb7dce2",
  think: "b640d161d06ceae5166ca77ddcedee47fd8a1f1dccc426e0d3350132a82b0a3e",
  "traffic-lights": "1d6601c13b233ee5836d22ac8a8ff50ab7555efc8f5c30e47e3ca120a7842340",
  "two-dice-pig": "c2609ef12d3705f8868a6b63382477e498b6e69e4e1bb484711980d5492818b5",
  yahtzee: "863839c8fbd0492ba390fcdf76e28d6b889cc7d4a67274676fdd917e029e97ed",
};
