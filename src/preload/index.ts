import { contextBridge, ipcRenderer } from "electron";

/**
 * Hands the page one MessagePort to the app, and nothing else. The page says when it is ready; every load of the page
 * gets one port.
 */
contextBridge.exposeInMainWorld("patchbayDesktop", true);

window.addEventListener("message", (event) => {
  if (event.source === window && event.data === "patchbay:ready") ipcRenderer.send("patchbay:port");
});

ipcRenderer.on("patchbay:port", (event) => {
  window.postMessage("patchbay:port", window.location.origin, event.ports);
});
