import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { layOut, ownFiles, personsFiles } from "./bait.ts";
import { firstFile } from "./first-script.ts";
import { newFolder } from "./places.ts";

/** For how long a spare is good, in milliseconds; after that something may have tidied up in it. */
const GOOD_MS = 60 * 60_000;
/**
 * Milliseconds after one was taken until the next is made. Most processes that got one have started by then; made beside the
 * start, the next would cost that some milliseconds.
 */
const LATER_MS = 120;

let spare: { folder: string; madeAt: number } | null = null;
let isComing = false;

/**
 * The folder of one walled process in there, with what every one has, whatever its wall. Making its files takes a disk some
 * milliseconds, of which the next start is spared: one is kept in stock.
 */
export function takeScratch(place: string): string {
  const taken = spare;
  const isGood =
    taken !== null &&
    dirname(taken.folder) === place &&
    performance.now() - taken.madeAt < GOOD_MS &&
    existsSync(taken.folder);
  if (isGood) spare = null;
  makeLater(place);
  return isGood ? taken.folder : newScratch(place);
}

function makeLater(place: string): void {
  if (isComing) return;
  isComing = true;
  setTimeout(() => {
    isComing = false;
    throwAway();
    try {
      spare = { folder: newScratch(place), madeAt: performance.now() };
    } catch {
      // The next start makes its own, and says what is wrong.
    }
  }, LATER_MS).unref();
}

function throwAway(): void {
  if (spare) rmSync(spare.folder, { recursive: true, force: true });
  spare = null;
}

process.once("exit", throwAway);

export function newScratch(place: string): string {
  const folder = newFolder(place);
  layOut(join(folder, "home"), personsFiles);
  layOut(join(folder, "hidden-0"), ownFiles);
  mkdirSync(join(folder, "door"), { mode: 0o700 });
  const { uid, gid, username } = userInfo();
  writeFileSync(join(folder, "passwd"), `${username}:x:${uid}:${gid}::${homedir()}:/bin/sh\n`);
  writeFileSync(join(folder, "group"), `${username}:x:${gid}:\n`);
  writeFileSync(join(folder, firstFile.name), firstFile.content, { mode: 0o600 });
  writeFileSync(join(folder, "hosts"), "127.0.0.1 localhost patchbay\n::1 localhost\n");
  return folder;
}
