import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root, runtime } from "./places.mjs";

/** Time limit for the download of Electron, milliseconds. */
const downloadLimitMs = 90_000;
/** After a failed download, none is tried again for this many milliseconds. */
const patienceMs = 24 * 60 * 60 * 1_000;

const folder = join(root, "node_modules", "electron");
const failureFile = join(root, "node_modules", ".cache", "patchbay", "electron-download.json");

/**
 * Finds Electron's program, and downloads it if needed, because the npm package does not contain it; otherwise says why
 * there is none.
 * @returns {Promise<{program?: string, obstacle?: string}>}
 */
export async function findElectron() {
  if (!hasDisplay()) return { obstacle: "No display was found for a desktop window" };
  const program = installedProgram();
  if (program) return { program };
  const version = installedVersion();
  if (!version) return { obstacle: "Electron is not installed" };
  if (failedLately(version)) return { obstacle: "Electron's program could not be downloaded" };
  console.error(`Downloading Electron ${version}, once …`);
  const fetched = (await download()) ? installedProgram() : undefined;
  if (fetched) return { program: fetched };
  rememberFailure(version);
  return { obstacle: "Electron's program could not be downloaded" };
}

function hasDisplay() {
  if (process.platform !== "linux") return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

function installedProgram() {
  try {
    const program = join(folder, "dist", readFileSync(join(folder, "path.txt"), "utf8"));
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

function installedVersion() {
  return readJson(join(folder, "package.json"))?.version;
}

function download() {
  return new Promise((resolve) => {
    const child = spawn(runtime(), [join(folder, "install.js")], { cwd: folder, stdio: "ignore" });
    const timer = setTimeout(() => child.kill("SIGKILL"), downloadLimitMs);
    const end = (done) => {
      clearTimeout(timer);
      resolve(done);
    };
    child.on("error", () => end(false));
    child.on("exit", (code) => end(code === 0));
  });
}

function failedLately(version) {
  const failure = readJson(failureFile);
  return failure?.version === version && Date.now() - failure.at < patienceMs;
}

function rememberFailure(version) {
  mkdirSync(dirname(failureFile), { recursive: true });
  writeFileSync(failureFile, JSON.stringify({ version, at: Date.now() }));
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
