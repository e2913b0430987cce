import { createHmac } from "node:crypto";
import type { Plugin, Problem, SaidThing } from "../../src/contract/index.ts";
import { Pins } from "../../src/main/registry/pins/pins.ts";
import { openFileStorage, type Signer } from "../../src/main/store/index.ts";
import { pluginRow } from "../support/plugin-row.ts";

const signOf = (text: string) => createHmac("sha256", "of the tests").update(text).digest("base64url");
const signer: Signer = { mode: "on", sign: signOf, fits: (text, mark) => signOf(text) === mark };

export const plugin: Plugin = pluginRow("notes", "/nowhere");

/** What is kept of the words of one plugin, in a home. */
export function pinsIn(home: string) {
  const notices: Problem[] = [];
  const pins = new Pins({
    storage: openFileStorage({ home, onNotice: (problem) => notices.push(problem) }),
    signer,
    registry: { get: (key) => (key === plugin.manifestKey ? plugin : undefined), list: () => [plugin] },
    redact: (text) => text,
    audit: { record() {} },
    onNotice: (problem) => notices.push(problem),
  });
  return { pins, notices };
}

/** Twenty tools that say which round it is. */
export function toolsOf(round: string): SaidThing[] {
  return Array.from({ length: 20 }, (_, at) => ({
    kind: "tool",
    name: `notes__tool_${at}`,
    title: `notes.tool_${at}`,
    words: { text: `Does it in round ${round}. ${"x".repeat(2_000)}`, more: {} },
  }));
}
