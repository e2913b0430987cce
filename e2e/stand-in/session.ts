import type { CdpConnection } from "./cdp.ts";

type CheckHandler = (contents: unknown, permission: string, origin: string, details: object) => boolean;
type RequestHandler = (
  contents: { getURL(): string },
  permission: string,
  callback: (granted: boolean) => void,
  details: object,
) => void;

let check: CheckHandler = () => true;
let request: RequestHandler = (_contents, _permission, callback) => callback(true);

export const session = {
  defaultSession: {
    setPermissionCheckHandler: (handler: CheckHandler) => {
      check = handler;
    },
    setPermissionRequestHandler: (handler: RequestHandler) => {
      request = handler;
    },
    setDevicePermissionHandler: (handler: () => boolean) => {
      deviceAllowed = handler();
    },
  },
};

let deviceAllowed = true;

/** Chromium's names of permissions, by Electron's. */
const permissions: Record<string, string> = {
  geolocation: "geolocation",
  notifications: "notifications",
  media: "camera",
  midi: "midi",
  "idle-detection": "idle-detection",
  "clipboard-read": "clipboard-read",
  "clipboard-sanitized-write": "clipboard-write",
  "persistent-storage": "persistent-storage",
  "screen-wake-lock": "screen-wake-lock",
  "local-fonts": "local-fonts",
};

/** Asks the app's handlers about every permission once and sets their answers in Chromium. */
export async function applyPermissions(connection: CdpConnection, contents: object): Promise<void> {
  const page = { ...contents, getURL: () => "app://patchbay/" };
  for (const [name, chromiumName] of Object.entries(permissions)) {
    let granted = false;
    request(page, name, (answer) => (granted = answer), {});
    const allowed = granted && check(page, name, "app://patchbay/", {});
    await connection.send("Browser.setPermission", {
      permission: { name: chromiumName },
      setting: allowed ? "granted" : "denied",
    });
  }
  if (deviceAllowed) throw new Error("The app leaves devices open to its pages.");
}
