import { flushCompileCache } from "node:module";
import { pinsIn, plugin, toolsOf } from "./pins-world.ts";

/** Hears of ever new words and accepts them until it is killed, and tells its parent of each round that is on disk. */
const [home = "", from = "0"] = process.argv.slice(2);
// Who is killed writes nothing at its end.
flushCompileCache();
const { pins } = pinsIn(home);
for (let round = Number(from); ; round += 1) {
  pins.hear(plugin, toolsOf(String(round)));
  const { held } = pins.review("notes");
  const verdicts = held.map(({ kind, name, hash }) => ({ kind, name, hash, accept: true }));
  if (verdicts.length > 0) await pins.decide("notes", verdicts);
  process.send?.({ round });
}
