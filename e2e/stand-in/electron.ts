import { app } from "./app.ts";
import { shell } from "./desktop-parts.ts";
import { ipcMain } from "./ipc-main.ts";

/** What `import … from "electron"` gives to the main bundle under the stand-in. */
export { app } from "./app.ts";
export { BrowserWindow } from "./browser-window.ts";
export {
  dialog,
  Menu,
  Notification,
  nativeImage,
  nativeTheme,
  screen,
  shell,
  Tray,
} from "./desktop-parts.ts";
export { ipcMain } from "./ipc-main.ts";
export { MessageChannelMain } from "./message-ports.ts";
export { protocol } from "./protocol.ts";
export { safeStorage } from "./safe-storage.ts";
export { session } from "./session.ts";
export { utilityProcess } from "./utility-process.ts";

/** What electron-store takes from the module as a whole. */
export default { app, ipcMain, shell };
