import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Kills the process groups that stand in its file descriptor 3 when its input ends: that is when this process is gone,
 * whatever ended it. A host whose event loop is blocked cannot notice that by itself.
 */
const SCRIPT = `
read -r _
while read -r group; do
  [ -z "$group" ] || kill -s KILL -- "-$group"
done <&3
`;

/** Characters of a place in the list: a process id, filled up with spaces, and a line end. */
const PLACE = 12;
const windows = process.platform === "win32";

/** The groups by their place in the list; undefined where a place is free. */
const places: (number | undefined)[] = [];
const free: number[] = [];
let list: number | undefined;
let watcher: ChildProcess | undefined;

/**
 * Makes sure that a process group does not outlive this process; returns what takes it off. Costs one write to a file
 * of which nobody is woken, so that it is fit for runs of a few milliseconds. Does nothing on Windows.
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

/** Writes one place of the list down. Without a list, on a full disk say, groups end with the app as it closes in order. */
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

/** A file without a name: nobody else reads it, and it is gone with the last process that has it open. */
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
