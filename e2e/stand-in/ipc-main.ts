import { EventEmitter } from "node:events";

/** Electron's `ipcMain`, for `ipcRenderer.send`. */
export const ipcMain = new EventEmitter();
