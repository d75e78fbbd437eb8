/** The SHA-256 hashes of the built-in rules in JavaScript. scripts/rule_hashes.py writes this file. */

/** @type {Record<string, string>} */
export const RULE_HASHES = {
  __proto__: null, // a game may have the name of an Object property
  "big-pig": "e663ef5abaa6ccefdf6901f75b968021844d9f10c76dbae7474ed3b6a9c34030",
  farkle: "5448a00e174071384309ff32b4a8eb18406b979b3f3b1f9739e7f4bb2ae923d2",
  "fowl-play": "e461a632f2e912e4e1c08a0381d570386da87d2d3f1bb3222856a8eb1a9ca878",
  hog: "52fdba048cf615821a3663757cbd9fee7c217e0a1247d0c1c5ae4b0c6cd7f932",
  hooligan: "ca5d7747c2a64be94c405a527a418f418b5e576bfcf818e7bc9b7600d3cb3da0",
  "pass-the-pigs": "7f43c0f0db4ffc7bc1fe74e1b4bb5005a777aeebf4fce444c4d1160ec0f82ceb",
  pig: "31dceb70a7f94ea60ce965a5e563983090729ced57bb92889c9c53f21973bc84",
  "pig-solitaire": "5604c9b940a1fba4e5c4c6fc1e31b1c29427d549f2ca8b50344f19aa07de351c",
  piglet: "5891a7fb9350ed1c79dda5b3cfb8948408306fd5656b96f01b49842c9e5784a8",
  "progressive-pig": "c73a3530b29ce8df91c9b6395a592c36684562e18b70fdd85fe3fe013c039cad",
  "red-light": "6afa9eb81331f0f9635ad11b88a5a2c78b2bc75429504778e34fe41aa8812c42",
  "risk-battle": "fefa53d1998e3a5b32fd96d2f5db53f7dbba4a49afa3756d4f71616b46614ae8",
  "risk-chain": "f21d4a67284ab0b40ea42bbc33b3d1fd41570b9fd74ea29b64257dc3b0156c00",
  "royal-game-of-ur": "195fa435233f0b1a95a712787b2831d16ba01738fe1454779424b6f0b32b4a45",
  skunk: "bc5cd1bab1b613201670b80177db926fc97a42fbfce822f3d3af6f7f10689ce4",
  "ten-thousand": "25550de936ad14ef458f4d8688366cb9e766d491b591923bd9348116dee3e4e1",
  think: "c58ee9bfaadaf37c57b5a2d7df26a4631e90c373e809062de8b92d57820eac0d",
  "traffic-lights": "67e5ed5aa8107c3e13683e39a0af0a1ee3264c93c89c3eefe0fc8784893291ad",
  "two-dice-pig": "70bfb73e03f3a5ee18e79befe291a7d89180a02608ff5782f5f5e6e3ab7f8bbe",
  yahtzee: "bb5a27bf7dca31fad6a3bb07ed6997dc9793c3b9d9708d44342255f396fa2e45",
};
