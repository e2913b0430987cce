import { z } from "zod";
import {
  type HeldThing,
  heldThingSchema,
  type SaidThing,
  saidThingSchema,
  suspicionSchema,
} from "../../../contract/index.ts";
import { idOf } from "./fingerprint.ts";

/** Most texts of one thing that the person agreed to and that count: agents may see different ones. */
const MOST_AGREED = 8;

const pinnedThingSchema = saidThingSchema.extend({
  /** Of the texts that were agreed to, the newest first. `words` is what the newest says. */
  hashes: z.array(z.string()).min(1),
  suspicious: z.array(suspicionSchema),
  /** It is not offered any more. */
  gone: z.literal(true).optional(),
});
const waitingSchema = heldThingSchema.omit({ before: true }).extend({ version: z.string() });

/** What one plugin says, as the person agreed to it. */
export const pinnedSchema = z.object({
  key: z.string(),
  /** The plugin's row: another installation under the same key begins anew. */
  pluginId: z.string(),
  /** Of which it was agreed to. */
  version: z.string(),
  things: z.record(z.string(), pinnedThingSchema),
  /** What is not used before the person has looked. */
  held: z.record(z.string(), waitingSchema),
  /** How many resources it listed last; absent: none, or they were not counted. */
  resources: z.number().int().optional(),
});
export type Pinned = z.infer<typeof pinnedSchema>;
export type Waiting = Pinned["held"][string];

/** Something that was said, with what is known of the text. */
export interface Heard extends SaidThing {
  hash: string;
  suspicious: HeldThing["suspicious"];
}

/** What is pinned of a plugin that says all this for the first time. */
export function firstSeen(of: Pick<Pinned, "key" | "pluginId" | "version">, heard: readonly Heard[]): Pinned {
  const things: Pinned["things"] = {};
  for (const { hash, ...thing } of heard) things[idOf(thing)] = { ...thing, hashes: [hash] };
  return { ...of, things, held: {} };
}

/**
 * What is pinned and held after a plugin has said all this. The same object when nothing is new.
 *
 * @param at when it said so, as ISO text
 */
export function afterHearing(
  pinned: Pinned,
  heard: readonly Heard[],
  { version, at }: { version: string; at: string },
): Pinned {
  const things: Pinned["things"] = {};
  const held: Pinned["held"] = {};
  let isNew = false;
  const said = new Set(heard.map(idOf));
  for (const [id, thing] of Object.entries(pinned.things)) {
    const { gone, ...rest } = thing;
    const isGone = !said.has(id);
    isNew ||= isGone !== (gone === true);
    things[id] = isGone ? { ...rest, gone: true } : rest;
  }
  for (const one of heard) {
    const id = idOf(one);
    const known = things[id];
    if (known?.hashes.includes(one.hash)) continue;
    const before = pinned.held[id];
    const isSame = before?.hash === one.hash && before.version === version;
    isNew ||= !isSame;
    const change = known ? ("changed" as const) : ("added" as const);
    held[id] = isSame ? before : { ...one, change, kept: false, version, at };
  }
  isNew ||= Object.keys(pinned.held).some((id) => !held[id]);
  const agreed = Object.keys(held).length === 0 ? version : pinned.version;
  return isNew || agreed !== pinned.version ? { ...pinned, version: agreed, things, held } : pinned;
}

/** What is pinned after the person has agreed to a held thing. */
export function afterAccepting(pinned: Pinned, waiting: Waiting): Pinned {
  const id = idOf(waiting);
  const { [id]: _, ...held } = pinned.held;
  const { kind, name, title, words, suspicious, hash } = waiting;
  const hashes = [hash, ...(pinned.things[id]?.hashes ?? [])].slice(0, MOST_AGREED);
  const things = { ...pinned.things, [id]: { kind, name, title, words, suspicious, hashes } };
  const isDone = Object.keys(held).length === 0;
  return { ...pinned, ...(isDone && { version: waiting.version }), things, held };
}

/** Which of these are not what the person agreed to, and why. `hashes`: by id. */
export function heldAmong(
  pinned: Pinned,
  hashes: ReadonlyMap<string, string>,
): Map<string, HeldThing["change"]> {
  const held = new Map<string, HeldThing["change"]>();
  for (const [id, hash] of hashes) {
    const known = Object.hasOwn(pinned.things, id) ? pinned.things[id] : undefined;
    if (!known?.hashes.includes(hash)) held.set(id, known ? "changed" : "added");
  }
  return held;
}
