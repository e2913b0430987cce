import { spawn } from "node:child_process";
import type { Writable } from "node:stream";

/**
 * Keeps the process groups that are named to it, and kills them when its input ends: that is when this process is gone,
 * whatever ended it. A host whose event loop is blocked cannot notice that by itself.
 */
const SCRIPT = `
while read -r sign group; do
  if [ "$sign" = "+" ]; then
    set -- "$@" "$group"
  else
    for kept in "$@"; do
      shift
      [ "$kept" = "$group" ] || set -- "$@" "$kept"
    done
  fi
done
for group in "$@"; do kill -s KILL -- "-$group"; done
`;

let input: Writable | undefined;

/** Makes sure that a process group does not outlive this process; returns what takes it off. Does nothing on Windows. */
export function reapGroup(leader: number): () => void {
  if (process.platform === "win32") return () => {};
  tell("+", leader);
  return () => tell("-", leader);
}

function tell(sign: "+" | "-", leader: number): void {
  input ??= startReaper();
  input.write(`${sign} ${leader}\n`);
}

function startReaper(): Writable {
  const shell = spawn("/bin/sh", ["-c", SCRIPT, "patchbay-reaper"], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    env: {},
  });
  const gone = () => {
    if (input === shell.stdin) input = undefined;
  };
  shell.once("error", gone);
  shell.once("exit", gone);
  shell.stdin.on("error", gone);
  shell.unref();
  (shell.stdin as Writable & { unref?(): void }).unref?.();
  return shell.stdin;
}
