import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./places.mjs";

const outputs = [
  "out/main/index.js",
  "out/main/cli.js",
  "out/main/host.js",
  "out/preload/index.cjs",
  "out/renderer/index.html",
];
const sources = ["src", "packages", "plugins", "electron.vite.config.ts", "package-lock.json"];
const notSources = new Set(["node_modules", "dist", "test"]);

/** Whether everything is built and nothing has changed since. */
export function isBuilt() {
  const built = outputs.map((path) => modified(join(root, path)));
  if (built.some((time) => time === undefined)) return false;
  return newest(sources.map((path) => join(root, path))) <= Math.min(...built);
}

function newest(paths) {
  let latest = 0;
  for (const path of paths) {
    const entry = statSync(path, { throwIfNoEntry: false });
    if (!entry) continue;
    const time = entry.isDirectory() ? newest(children(path)) : entry.mtimeMs;
    latest = Math.max(latest, time);
  }
  return latest;
}

function children(folder) {
  return readdirSync(folder)
    .filter((name) => !notSources.has(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
