/**
 * `npm run kills [runs]`: kills the app and its processes with SIGKILL at random moments, `runs` times in each suite that does so
 * (default 200), and checks what is left. `npm test` runs the same suites a few times each.
 */
import { spawnSync } from "node:child_process";

const runs = process.argv[2] ?? "200";
const { status } = spawnSync("vitest", ["run", "kill", "xmpp-once"], {
  stdio: "inherit",
  env: { ...process.env, PATCHBAY_KILL_RUNS: runs },
  shell: process.platform === "win32",
});
process.exitCode = status ?? 1;
