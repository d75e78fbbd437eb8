/** Service worker: without a network, the page is shown as it was loaded last. Games need the server. */

const KEPT = "komi";
const FOLDER = new URL("./", location.href);
const PRIVATE = ["api/", "shared/"].map((path) => new URL(path, FOLDER).href);
/** The types of pages do not know the events and methods of service workers. @type {any} */
const worker = self;

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { method, url } = event.request;
  const isFile = url.startsWith(FOLDER.href) && !new URL(url).search && !PRIVATE.some((path) => url.startsWith(path));
  if (method === "GET" && isFile) event.respondWith(load(event));
});

/**
 * Return the response of the server, or, if it cannot be reached, the last one.
 * @param {any} event
 */
async function load(event) {
  try {
    const response = await fetch(event.request);
    if (response.status === 200) event.waitUntil(keep(event.request, response.clone()));
    return response;
  } catch (error) {
    const last = await (await caches.open(KEPT)).match(event.request, { ignoreVary: true });
    if (last) return last;
    throw error;
  }
}

/**
 * Keep a response, if there is room.
 * @param {Request} request
 * @param {Response} response
 */
async function keep(request, response) {
  try {
    await (await caches.open(KEPT)).put(request, response);
  } catch {
    // The page is not shown without a network.
  }
}
