import { contextBridge, ipcRenderer, webUtils } from "electron";

/**
 * Hands the page one MessagePort to the app, and where the files lie that a person drops on it; nothing else. The page says
 * when it is ready; every load of the page gets one port.
 */
contextBridge.exposeInMainWorld("patchbayDesktop", true);

window.addEventListener("message", (event) => {
  if (event.source === window && event.data === "patchbay:ready") ipcRenderer.send("patchbay:port");
});

ipcRenderer.on("patchbay:port", (event) => {
  window.postMessage("patchbay:port", window.location.origin, event.ports);
});

// A page is not told where a dropped file lies. That the person dropped it here is what allows to say it.
window.addEventListener(
  "drop",
  (event) => {
    if (!event.isTrusted) return;
    const paths = [...(event.dataTransfer?.files ?? [])].map((file) => webUtils.getPathForFile(file));
    window.postMessage({ type: "patchbay:dropped", paths }, window.location.origin);
  },
  true,
);
