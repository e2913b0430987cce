import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { app } from "electron";
import { defaultHome } from "../home.ts";

/** Where the desktop app finds its parts. Everything here is bundled to `out/main/*.js`. */
export function desktopFolders() {
  const bundles = dirname(fileURLToPath(import.meta.url));
  const out = dirname(bundles);
  return {
    home: defaultHome(),
    bundles,
    preload: join(out, "preload", "index.cjs"),
    renderer: join(out, "renderer"),
    resources: app.isPackaged ? join(process.resourcesPath, "resources") : join(out, "..", "resources"),
    documentation: join(out, "..", "README.md"),
  };
}
