/**
 * Checks the walls of `.dependency-cruiser.mjs`. The checker ends each run with a notice that it probably missed
 * TypeScript files, because it does not know TypeScript 7. It reads them through swc (`parser` there), with their imports of
 * types, so that one notice is left out; everything else is shown as it comes.
 */
import { spawnSync } from "node:child_process";

const checker = "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs";
const { status, stdout } = spawnSync(
  process.execPath,
  [checker, "src", "packages", "plugins", "--config", ".dependency-cruiser.mjs"],
  { encoding: "utf8", maxBuffer: Number.POSITIVE_INFINITY, stdio: ["ignore", "pipe", "inherit"] },
);
/** Its first line and the indented or empty ones below. */
const untrueNotice = /^.*missing-tsc-transpiler: .*\n(?:(?: {4}.*)?\n)*/m;
process.stdout.write(stdout.replace(untrueNotice, ""));
process.exitCode = status ?? 1;
