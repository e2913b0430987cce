import { contextBridge, ipcRenderer, webUtils } from "electron";

/**
 * Gives the page one MessagePort to the app at each load, when the page says that it is ready; and the paths of files
 * that a person drops on it. The page gets nothing else.
 */
contextBridge.exposeInMainWorld("patchbayDesktop", true);

window.addEventListener("message", (event) => {
  if (event.source === window && event.data === "patchbay:ready") ipcRenderer.send("patchbay:port");
});

ipcRenderer.on("patchbay:port", (event) => {
  window.postMessage("patchbay:port", window.location.origin, event.ports);
});

// The browser does not tell a page the path of a dropped file. Only a real drop (`isTrusted`) is answered, so that a
// page cannot ask for paths by itself.
window.addEventListener(
  "drop",
  (event) => {
    if (!event.isTrusted) return;
    const paths = [...(event.dataTransfer?.files ?? [])].map((file) => webUtils.getPathForFile(file));
    window.postMessage({ type: "patchbay:dropped", paths }, window.location.origin);
  },
  true,
);
