/** Starts `patchbay` with the given arguments in a view of this machine in which perl cannot be started. */
import { spawn } from "node:child_process";

const hidden = ["--bind", "/dev/null", "/usr/bin/perl"];
const command = [process.execPath, "bin/patchbay", ...process.argv.slice(2)];
const child = spawn("bwrap", ["--dev-bind", "/", "/", ...hidden, "--die-with-parent", "--", ...command], {
  stdio: "inherit",
});
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => child.kill(name));
child.once("exit", (code) => process.exit(code ?? 1));
