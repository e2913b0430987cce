import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The shell script of the reaper, a small process beside the app. Its input ends when the app is gone, for whatever
 * reason; it then kills the process groups that are listed in its file descriptor 3. A host whose event loop is blocked
 * could not notice by itself that the app is gone.
 */
const SCRIPT = `
read -r _
while read -r group; do
  [ -z "$group" ] || kill -s KILL -- "-$group"
done <&3
`;

/**
 * Characters of one line of the list: a process id, padded with spaces, and a line end. All lines have the same length,
 * so that each can be overwritten where it stands.
 */
const PLACE = 12;
const windows = process.platform === "win32";

/** The process group of each line of the list; undefined for a line that is free. */
const places: (number | undefined)[] = [];
const free: number[] = [];
let list: number | undefined;
let watcher: ChildProcess | undefined;

/**
 * Makes sure that a process group does not outlive this process. The returned function takes the group off the list.
 * Costs one write to a file and wakes no other process, so it is cheap enough for programs that run a few milliseconds.
 * Does nothing on Windows.
 */
export function reapGroup(leader: number): () => void {
  if (windows) return () => {};
  const place = free.pop() ?? places.length;
  places[place] = leader;
  note(place);
  return () => {
    if (places[place] !== leader) return;
    places[place] = undefined;
    free.push(place);
    note(place);
  };
}

/**
 * Writes one line of the list to the file. When the file cannot be written (a full disk), groups are no longer killed
 * after a crash of the app; when it closes in order it still ends them itself.
 */
function note(place: number): void {
  try {
    list ??= openList();
    writeSync(list, `${String(places[place] ?? "").padEnd(PLACE - 1)}\n`, place * PLACE, "latin1");
    watcher ??= startReaper(list);
  } catch {
    if (list !== undefined) closeSync(list);
    list = undefined;
  }
}

/**
 * A file that is deleted at once and stays open: no other program can read it, and its space is freed when the last
 * process that has it open ends.
 */
function openList(): number {
  const path = join(tmpdir(), `patchbay-groups-${randomUUID()}`);
  const file = openSync(path, "wx+", 0o600);
  rmSync(path);
  for (let at = 0; at < places.length; at += 1) {
    writeSync(file, `${String(places[at] ?? "").padEnd(PLACE - 1)}\n`, at * PLACE, "latin1");
  }
  return file;
}

function startReaper(groups: number): ChildProcess {
  const shell = spawn("/bin/sh", ["-c", SCRIPT, "patchbay-reaper"], {
    stdio: ["pipe", "ignore", "ignore", groups],
    detached: true,
    env: {},
  });
  const gone = () => {
    if (watcher === shell) watcher = undefined;
  };
  shell.once("error", gone);
  shell.once("exit", gone);
  shell.stdin?.on("error", gone);
  shell.unref();
  (shell.stdin as { unref?(): void } | null)?.unref?.();
  return shell;
}
