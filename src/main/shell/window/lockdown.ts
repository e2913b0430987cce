import { app, type Session, shell, type WebContents } from "electron";
import { isAppUrl } from "./app-address.ts";

/** The only thing a page may ask the browser for: its "Copy" buttons write text to the clipboard. */
const allowedPermission = "clipboard-sanitized-write";

/** Keeps every present and future page on Patchbay's own screens. Call it once, before the first window. */
export function lockDownPages(): void {
  app.on("web-contents-created", (_event, contents) => lockDownContents(contents));
}

/** Refuses what pages can ask the browser for: camera, location, notifications, devices, … */
export function lockDownSession(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, callback) =>
    callback(permission === allowedPermission && isAppUrl(contents.getURL())),
  );
  session.setPermissionCheckHandler(
    (_contents, permission, origin) => permission === allowedPermission && isAppUrl(origin),
  );
  session.setDevicePermissionHandler(() => false);
}

function lockDownContents(contents: WebContents): void {
  contents.on("will-navigate", (details) => {
    if (isAppUrl(details.url)) return;
    details.preventDefault();
    openSecureLink(details.url);
  });
  contents.on("will-frame-navigate", (details) => {
    if (!details.isMainFrame) details.preventDefault();
  });
  contents.on("will-redirect", (details) => {
    if (!isAppUrl(details.url)) details.preventDefault();
  });
  contents.setWindowOpenHandler(({ url }) => {
    openSecureLink(url);
    return { action: "deny" };
  });
  contents.on("will-attach-webview", (event) => event.preventDefault());
}

/**
 * Opens https links, and http links to this machine: local services, which some setups link to, have no certificate.
 */
function openSecureLink(link: string): void {
  const url = URL.parse(link);
  const isHere = url?.protocol === "http:" && /^(127\.0\.0\.1|\[::1\]|localhost)$/.test(url.hostname);
  if (url?.protocol === "https:" || isHere) void shell.openExternal(link);
}
