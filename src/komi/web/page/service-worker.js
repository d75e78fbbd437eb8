/** Service worker: without a network, the page is shown as it was loaded last. Games need the server. */

const KEPT = "komi";
const FOLDER = new URL("./", location.href);
/** The types of pages do not know the events and methods of service workers. @type {any} */
const worker = self;

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { method, url } = event.request;
  const isFile = url.startsWith(FOLDER.href) && !url.startsWith(new URL("api/", FOLDER).href);
  if (method === "GET" && isFile) event.respondWith(load(event.request));
});

/**
 * Return the response of the server, or, if it cannot be reached, the last one.
 * @param {Request} request
 */
async function load(request) {
  const kept = await caches.open(KEPT);
  try {
    const response = await fetch(request);
    if (response.status === 200) await kept.put(request, response.clone());
    return response;
  } catch (error) {
    const last = await kept.match(request, { ignoreVary: true });
    if (last) return last;
    throw error;
  }
}
