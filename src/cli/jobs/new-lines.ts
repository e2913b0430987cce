import type { Job } from "../../contract/index.ts";

type Log = Job["log"];

/** The lines that `now` has and `before` had not. Both are the newest lines of one log, whose oldest ones are dropped. */
export function newLines(before: Log, now: Log): Log {
  for (let dropped = 0; dropped < before.length; dropped += 1) {
    const kept = before.slice(dropped);
    if (kept.length <= now.length && kept.every((line, index) => isSame(line, now[index])))
      return now.slice(kept.length);
  }
  return now;
}

function isSame(a: Log[number], b: Log[number] | undefined): boolean {
  return a.at === b?.at && a.text === b.text;
}
