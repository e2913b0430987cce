/**
 * `npm start`: builds when needed and opens the desktop app; where Electron cannot run it says why in one sentence and opens
 * the same app in the browser. `npm start -- --browser` goes there directly; other arguments are passed on.
 */
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { withoutForeign } from "../bin/foreign.mjs";
import { isBuilt } from "./start/built.mjs";
import { findElectron } from "./start/electron.mjs";
import { root, runtime } from "./start/places.mjs";

/** An app that ends with an error within this many milliseconds counts as not started. */
const startLimitMs = 5_000;
/** The app's exit code when it did not start and has said why itself (`src/main/shell/start-failure.ts`). */
const explained = 70;

const wantsBrowser = process.argv.includes("--browser");
const passedOn = process.argv.slice(2).filter((argument) => argument !== "--browser");

if (!isBuilt()) build();
const obstacle = wantsBrowser ? "" : await openDesktop();
if (obstacle !== undefined) await openBrowser(obstacle);

function build() {
  console.error("Building Patchbay …");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { status } = spawnSync(npm, ["run", "--silent", "build"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status === 0) return;
  console.error("The build failed, so there is nothing to start.");
  process.exit(1);
}

/** @returns {Promise<string | undefined>} why the desktop app cannot run here; undefined when it has run */
async function openDesktop() {
  const electron = await findElectron();
  if (!electron.program) return electron.obstacle;
  const started = performance.now();
  const { code, error } = await run(electron.program, [root, ...passedOn]);
  const failedAtOnce =
    error || (code !== 0 && code !== explained && performance.now() - started < startLimitMs);
  if (failedAtOnce) return "Electron is here but does not run on this machine";
  process.exitCode = code ?? 1;
  return undefined;
}

async function openBrowser(obstacle) {
  if (obstacle) console.error(`${obstacle}, so Patchbay opens in the browser.`);
  const command = join(root, "bin", "patchbay");
  const { code } = await run(runtime(), ["--disable-sigusr1", command, "serve", "--open", ...passedOn]);
  process.exitCode = code ?? 1;
}

/** Runs a program in the foreground. A signal that ends this script is passed on to the program. */
function run(program, args) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: "inherit", env: withoutForeign(process.env) });
    const forward = (signal) => child.kill(signal);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, forward);
    const end = (result) => {
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, forward);
      resolve(result);
    };
    child.on("error", (error) => end({ code: 1, error }));
    // The person stopped the app, which counts as success.
    child.on("exit", (code, signal) => end({ code: signal === "SIGINT" || signal === "SIGTERM" ? 0 : code }));
  });
}
