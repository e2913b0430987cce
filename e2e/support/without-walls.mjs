/** Starts `patchbay` with the given arguments in a view of this machine in which bubblewrap is not installed. */
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const places = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"]
  .map((folder) => join(folder, "bwrap"))
  .filter((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
const hidden = [...new Set(places)].flatMap((file) => ["--bind", process.env.HIDES ?? "/dev/null", file]);
const child = spawn(
  "bwrap",
  ["--dev-bind", "/", "/", ...hidden, "--die-with-parent", "--", process.execPath, ...process.argv.slice(2)],
  { stdio: "inherit" },
);
process.on("SIGINT", () => child.kill("SIGINT"));
child.once("exit", (code) => process.exit(code ?? 1));
