import { join } from "node:path";
import { app } from "electron";
import { installation } from "../platform/node-platform.ts";
import { ownStore } from "../store/index.ts";

export type DesktopFolders = ReturnType<typeof desktopFolders>;

/** Where the desktop app finds its parts, and its version. */
export function desktopFolders() {
  const { root, version } = installation();
  const out = join(root, "out");
  return {
    store: ownStore(),
    version,
    bundles: join(out, "main"),
    preload: join(out, "preload", "index.cjs"),
    renderer: join(out, "renderer"),
    resources: app.isPackaged ? join(process.resourcesPath, "resources") : join(root, "resources"),
    documentation: join(root, "README.md"),
  };
}
