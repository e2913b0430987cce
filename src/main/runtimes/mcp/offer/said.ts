import type { SaidThing } from "../../../../contract/index.ts";
import { isObject } from "../../../../contract/index.ts";
import type { ListedTool } from "./listed-tools.ts";

/** What a server says of what it offers, as it came: all of it is pinned. */
export function saidBy(
  key: string,
  {
    ownNames,
    listed,
    prompts,
    instructions,
  }: {
    /** The server's own name of a tool, by its full name. */
    ownNames: ReadonlyMap<string, string>;
    listed: ReadonlyMap<string, ListedTool>;
    prompts: readonly unknown[];
    instructions: string;
  },
): SaidThing[] {
  const said: SaidThing[] = [];
  for (const [name, own] of ownNames) {
    const tool = listed.get(own);
    if (!tool) continue;
    const { description = "", title, inputSchema, outputSchema, annotations } = tool;
    const more = without({ title, inputSchema, outputSchema, annotations });
    said.push({ kind: "tool", name, title: `${key}.${own}`, words: { text: description, more } });
  }
  for (const prompt of prompts) {
    if (!isObject(prompt) || typeof prompt.name !== "string") continue;
    const { name, description, title, arguments: asked } = prompt;
    const text = typeof description === "string" ? description : "";
    said.push({
      kind: "prompt",
      name,
      title: name,
      words: { text, more: without({ title, arguments: asked }) },
    });
  }
  if (instructions !== "")
    said.push({ kind: "instructions", name: key, title: key, words: { text: instructions, more: {} } });
  return said;
}

function without(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
