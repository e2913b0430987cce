import { type CheckView, isObject, type Offered, type ToolInfo } from "../../../contract/index.ts";
import { cleanSchema } from "../../../contract/shown/clean-schema.ts";
import { cleanLine, cleanText } from "../../../contract/shown/clean-text.ts";
import type { Pinned } from "./compare.ts";

type Thing = Pick<Pinned["things"][string], "kind" | "name" | "title" | "words" | "suspicious"> & {
  held?: "held" | "new";
};

/** Whether it was heard at this version of the plugin. */
export function isHeardAt(pinned: Pinned, version: string): boolean {
  return pinned.version === version || Object.values(pinned.held).some((held) => held.version === version);
}

/** What it says that it offers, by what it said when it was heard last. */
export function offeredOf(pinned: Pinned, version: string): Omit<Offered, "key" | "version"> {
  const things = thingsOf(pinned, version);
  const told = things.find(({ kind }) => kind === "instructions")?.words.text;
  return {
    tools: things.flatMap((thing) => (thing.kind === "tool" ? [toolOf(thing, pinned.key)] : [])),
    prompts: things.flatMap(({ kind, name, words }) =>
      kind === "prompt" ? [{ name: cleanLine(name), description: cleanLine(words.text) }] : [],
    ),
    instructions: told === undefined ? null : cleanText(told),
  };
}

/** The same in short. */
export function sumOf(pinned: Pinned, version: string): Extract<CheckView, { state: "done" }> {
  const things = thingsOf(pinned, version);
  const count = (wanted: string) => things.filter(({ kind }) => kind === wanted).length;
  return {
    state: "done",
    tools: count("tool"),
    prompts: count("prompt"),
    resources: pinned.resources ?? null,
    instructions: count("instructions") > 0,
    suspicious: things.filter(({ suspicious }) => suspicious.length > 0).length,
  };
}

function thingsOf({ things, held }: Pinned, version: string): Thing[] {
  const said = new Map<string, Thing>();
  for (const [id, { gone, ...thing }] of Object.entries(things)) if (!gone) said.set(id, thing);
  for (const [id, { version: of, change, ...thing }] of Object.entries(held))
    if (of === version) said.set(id, { ...thing, held: change === "added" ? "new" : "held" });
  return [...said.values()];
}

function toolOf({ name, title, words, suspicious, held }: Thing, owner: string): ToolInfo {
  const { inputSchema, annotations } = words.more;
  const destroys = isObject(annotations) && annotations.destructiveHint === true;
  return {
    name,
    title,
    description: cleanText(words.text),
    parameters: isObject(inputSchema) ? cleanSchema(inputSchema) : {},
    // What it says of its own harmlessness is not believed here.
    readOnly: false,
    danger: destroys ? "dangerous" : "unknown",
    owner,
    ...(held && { withheld: held }),
    ...(suspicious.length > 0 && { suspicious }),
  };
}
