/** The first script of a page in one file: it unpacks the data, makes a module of each source text, and opens the page.
 *
 * Modules import each other by bare names, "komi/api.js", which an import map resolves. A worker has no import map, and
 * browsers run no module as the worker of a local file: its script imports the modules from addresses that contain them.
 */

(async () => {
  const packed = Uint8Array.from(atob(document.getElementById("data").textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(bytes.buffer).getUint32(0);
  const file = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));

  let chosen = null;
  try {
    chosen = localStorage.getItem("komi.language");
  } catch {
    // Without storage, the language is the browser's.
  }
  const preferred = [chosen, ...navigator.languages.map((code) => code.split("-")[0])];
  const language = preferred.find((code) => code in file.languages) ?? "en";
  document.documentElement.lang = language;
  document.documentElement.classList.toggle("without-surface", !file.surface);
  document.body.innerHTML = file.bodies[language];

  const urlOf = (/** @type {string} */ text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const IMPORTED = /"komi\/([\w/-]+\.js)"/g;
  const addressIn = (/** @type {string} */ _, /** @type {string} */ name) =>
    `"data:text/javascript,${encodeURIComponent(file.modules[name].replace(IMPORTED, addressIn))}"`;
  const worker = (/** @type {string} */ name) => `
    const first = new Promise((resolve) => addEventListener("message", resolve, { once: true }));
    Promise.all([first, import(${addressIn("", name)})]).then(([{ data }]) =>
      dispatchEvent(new MessageEvent("message", { data }))).catch(reportError);
  `;
  const workers = Object.keys(file.modules).filter((name) => name.endsWith("-worker.js"));
  const imports = Object.fromEntries(
    Object.keys(file.modules).map((name) => [`komi/${name}`, urlOf(file.modules[name])]),
  );
  const map = Object.assign(document.createElement("script"), { type: "importmap" });
  map.textContent = JSON.stringify({ imports });
  document.head.append(map);
  Object.assign(globalThis, { komiWorkers: Object.fromEntries(workers.map((name) => [name, urlOf(worker(name))])) });

  const { FileServer } = await import(imports["komi/file/server.js"]);
  const server = new FileServer(file, await import(urlOf(file.source)), bytes.subarray(4 + length));
  globalThis.fetch = (address, options) => server.fetch(String(address), options);
  await import(imports["komi/main.js"]);
})();
