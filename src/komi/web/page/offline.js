/** Keep the files of the page for visits without a network, where the browser can: on HTTPS or this machine. */

/** Register the service worker. At the first visit, load the page's files once more, so that it keeps them. */
export async function keepForOffline() {
  if (!("serviceWorker" in navigator) || !document.querySelector("link[rel=manifest]")) return;
  try {
    const isFirst = !navigator.serviceWorker.controller;
    if (isFirst)
      navigator.serviceWorker.addEventListener("controllerchange", () => loadAgain().catch(() => {}), { once: true });
    await navigator.serviceWorker.register("service-worker.js");
  } catch {
    // The page works without it.
  }
}

async function loadAgain() {
  const files = performance.getEntriesByType("resource").map(({ name }) => name);
  const folder = new URL("./", location.href).href;
  const own = files.filter((name) => name.startsWith(folder) && !name.startsWith(`${folder}api/`));
  await Promise.all([folder, ...own].map((name) => fetch(name)));
}
