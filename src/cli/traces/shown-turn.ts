import type { RecordEvent } from "../../contract/index.ts";
import { english } from "../../main/agents/traces/telling/english.ts";
import { duration } from "../../main/agents/traces/telling/figures.ts";
import { type Row, rowsOf } from "../../main/agents/traces/telling/rows.ts";
import { type Paint, table } from "../terminal/output.ts";

/** A turn for the terminal: a line for each thing that happened, below what it was part of. */
export function shownTurn(events: readonly RecordEvent[], paint: Paint): string {
  const [begun] = events;
  const text = begun?.type === "turn_begun" ? begun.text : "";
  const rows = rowsOf(events, english);
  return [
    ...(text === "" ? [] : [paint.bold(oneLine(text)), ""]),
    table(
      rows.map((row) => [
        `+${duration(row.from)}`,
        row.ms === null ? "" : duration(row.ms),
        told(row, paint),
      ]),
    ),
  ].join("\n");
}

function told({ depth, label, name, owner, note, state }: Row, paint: Paint): string {
  const what = [label, name === "" ? "" : paint.bold(oneLine(name)), owner === null ? "" : paint.dim(owner)];
  const words = oneLine(note);
  const said = words === "" ? "" : looks(state, paint)(words);
  return "  ".repeat(depth) + [...what, said].filter((part) => part !== "").join("  ");
}

function looks(state: Row["state"], paint: Paint): (text: string) => string {
  switch (state) {
    case "failed":
    case "cut":
    case "refused":
      return paint.bad;
    case "changed":
      return paint.warn;
    case "done":
    case "running":
      return (text) => text;
  }
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ");
}
