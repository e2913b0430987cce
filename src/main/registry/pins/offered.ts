import type { CheckView, Offered } from "../../../contract/index.ts";
import type { Pinned } from "./compare.ts";

/** Whether it was heard at this version of the plugin. */
export function isHeardAt(pinned: Pinned, version: string): boolean {
  return pinned.version === version || Object.values(pinned.held).some((held) => held.version === version);
}

/** All that it says now, by what it said when it was heard last at this version. */
export function thingsOf({ things, held }: Pinned, version: string): Offered["things"] {
  const waiting = new Map(Object.entries(held).filter(([, thing]) => thing.version === version));
  const said = new Map<string, Offered["things"][number]>();
  for (const [id, { gone, kind, name, title, words, suspicious }] of Object.entries(things))
    if (!gone) said.set(id, { kind, name, title, text: words.text, suspicious });
  for (const [id, { kind, name, title, words, suspicious, change }] of waiting)
    said.set(id, { kind, name, title, text: words.text, suspicious, held: change });
  return [...said.values()];
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
