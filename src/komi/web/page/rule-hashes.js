/** The SHA-256 hashes of the built-in rules in JavaScript. scripts/rule_hashes.py writes this file. */

/** @type {Record<string, string>} */
export const RULE_HASHES = {
  __proto__: null, // a game may have the name of an Object property
  "big-pig": "1f54e8d8e4e1a51f151377a30c880a67320fcf58ce2c523c2f50cffaf82a1c6f",
  farkle: "23c1e80e93c617caa9dec468631cc481e4d60f571f9f734076d5731277acf642",
  "fowl-play": "ed8785631bfcd23f8e0dd0bc89a06899437bb57c563928b1c28896b155e531db",
  hog: "a04be1c9b88faf5259218f6f722733f00a82f9db5c8184e2be2ba819b5b0b780",
  hooligan: "7a6c981e6590e62793891f66396c62a0b76eb78e911ed4689d8a226c2cc4d649",
  "pass-the-pigs": "5e66a0f4e750bcbecc95aaaad452b5df6ceb621e3a64eacef687e162310a6e57",
  pig: "5bb898304582e07e6f2d87a64b92b36ae739c1923591d83ba985961e092da71a",
  "pig-solitaire": "06185cc14388b235ab1482c7fa70c0ae7269fdac7c50137217203e3218f402fb",
  piglet: "2ebb0f5e249c354b4f4c88aab3109f0f849fb647e0d9904ed69b0a51372f3983",
  "progressive-pig": "3be09f4b4a4f40ea3107d6058b7c6a9ba44648542b6e318d9d1fcafe5cbe97d1",
  "red-light": "7525da54efbd9cd9dcb81721a980ef8f70b10a8fbfa44bb77b1004763c2d2170",
  "risk-battle": "193bee70e5fca04218705fa0a4acc4d224c59f1c1ab9809137713cd603d7fbb0",
  "risk-chain": "2a516123b326daa279069a09c5644e104496c4f98b8bc480d00450ecdb208888",
  "royal-game-of-ur": "f11e077bbac1e8f8f6c8a6aa5939a2f621ed3b29cbf242d4c2ae142c6ae1cc0a",
  skunk: "4e6ed3ce43709fa8b0237eb1e8c4c0aef5aaa7d8574748e1e773e4d85ef21730",
  "ten-thousand": "39c66dd9d3fa3ef4237949ac8179aea5ae879616941e44a89f0b166ffd524f93",
  think: "b32971e52baae8a6cccf6e47081b4392c77fd3dd1a6b334fe7a66166b41f4d4a",
  "traffic-lights": "b781bc13a942accb4159464dd52832a2254c084603b1df71f3057490ceaa29b0",
  "two-dice-pig": "a9dcd4aa326f8b3214a944540c39860027d20fc2a139c06ba515c0976f1d7176",
  yahtzee: "7c160d3f4691d20fe4235f5bdfd3e262ee95651519ffa90823a46f9e67ce48ac",
};
