/** The SHA-256 hashes of the built-in rules in JavaScript. scripts/rule_hashes.py writes this file. */

/** @type {Record<string, string>} */
export const RULE_HASHES = {
  __proto__: null, // a game may have the name of an Object property
  "big-pig": "52eb78daa14d6c1d18b4098bdb083fee6dd8793558f2e730aff58fb47a66b88f",
  farkle: "420a435cf77418b323f56181748521651eee6a0c3339335669e3c93f0c3bcbcc",
  "fowl-play": "1470ab9e99cee93ce7c4cccf1d7bebe2599e778ecc709009f38a3b905f333861",
  hog: "63a40e15062ce1c152f2bf9a3b59c4677d1d068f6f52b68cdaf042344db9a6a8",
  hooligan: "052ae54bfa023a8e3aa328338402540645f817452dce7b6e0a4e0ea5eac6025c",
  "pass-the-pigs": "6a790ed9163fe41c8f8698699dcb7008f629c56af82d32788db8ee0bfb958cc2",
  pig: "27de762c00254642fd56741dfdb9d365d9a1d21aad1f39cfb7c3dacb148ff941",
  "pig-solitaire": "d06da4947642559cd212ecbefb9b790d661b0dc49ed79fedc24ca47ff5e7aed0",
  piglet: "c88f6c4fae35d65d52c8f39564f3eb9ff9b792b84035b31e30c6139cae8ae579",
  "progressive-pig": "32b40f9b58ab30a869b89020b28e3be6c7c9e307c538ab0c9bd09b6f9f4b33a3",
  "red-light": "3933f126bfbba84930238beea7391e6106f02f76e3470095d919c4c3911f5058",
  "risk-battle": "1c7daf144579199544c3bc7983db41b04a1bc0b501ccc025921df94b272a4006",
  "risk-chain": "11bc66e63f46bf1158bd08fc956280461ac4c11a3fdd37885d3d104dd7a6dee1",
  "royal-game-of-ur": "1e9480cde2dacf24af810c0fb3f59d6703b65ad724005358cac75dad80b06393",
  skunk: "a54d51867cbc3b795ddea0ecbf5231c49da02f2816a3b8764f5a72bdc04ac93a",
  "ten-thousand": "1a43e2b9df4d72b13a49f69b1595335705cc8c439f59ace31b98f69adbd4b4a4",
  think: "395e8006ac448df634a7860c97ea76103cc48fb32618799e192a5827623dd694",
  "traffic-lights": "c7ce19bba623488718349866e323a98774216bc92dcfdcde8966c89f87d2bdb6",
  "two-dice-pig": "19edf77ef69b091a3d571cc456d7516fc7fa53cbea93e7322364d6263726add1",
  yahtzee: "237cf311c01465252ac16165d020caab9ccd79b21a93f2af49860c1c9e3f2e16",
};
