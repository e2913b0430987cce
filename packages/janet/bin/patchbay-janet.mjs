#!/usr/bin/env node
// Starts the command line with a Node that runs TypeScript and with a larger stack.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const bundle = join(here, "..", "..", "..", "out", "janet", "cli.js");
const source = join(here, "..", "src");
const entry = isFresh(bundle) ? bundle : join(source, "cli", "main.ts");
const isOld = Number(process.versions.node.split(".")[0]) < 24;
const node = isOld ? ownNode() : process.execPath;
if (node === undefined) {
  process.stderr.write("patchbay-janet needs Node 24.\n");
  process.exit(1);
}

// Windows gives a program less stack than this; too much of it ends the process.
const stack = process.platform === "win32" ? [] : ["--stack-size=3900"];
const child = spawn(
  node,
  [...stack, "--disable-warning=ExperimentalWarning", entry, ...process.argv.slice(2)],
  {
    stdio: "inherit",
  },
);
// A terminal sends Ctrl+C to both; what is sent to this process alone has to be passed on.
process.on("SIGINT", () => {
  if (!process.stdin.isTTY) child.kill("SIGINT");
});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.once("error", (error) => {
  process.stderr.write(`Node could not be started: ${error.message}\n`);
  process.exitCode = 1;
});
child.once("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else process.exitCode = code ?? 1;
});

/** Whether there is a bundle that is younger than all of its sources, which may be absent. */
function isFresh(file) {
  if (!existsSync(file)) return false;
  if (!existsSync(source)) return true;
  const built = statSync(file).mtimeMs;
  return readdirSync(source, { recursive: true }).every(
    (name) => statSync(join(source, name)).mtimeMs <= built,
  );
}

/** The Node that npm has put beside the packages. */
function ownNode() {
  const name = process.platform === "win32" ? "node.exe" : "node";
  for (let at = here; at !== dirname(at); at = dirname(at)) {
    const found = join(at, "node_modules", "node", "bin", name);
    if (existsSync(found)) return found;
  }
  return undefined;
}
