import { isObject, type RecordEvent } from "../../../../../contract/index.ts";
import { pick } from "../../pick.ts";
import { duration } from "../../telling/figures.ts";
import type { Row } from "../../telling/rows.ts";
import type { Words } from "../../telling/words.ts";
import { type Html, html } from "./html.ts";

/** Most characters of one value on a page. */
const LONGEST = 200_000;

/** A line of a turn, with its data below it when it is opened. @param whole milliseconds of the turn */
export function rowHtml(row: Row, whole: number, words: Words): Html {
  const { depth, kind, state, label, name, owner, note, from, ms } = row;
  const left = percent(from, whole);
  const bar =
    ms === null
      ? html`<i style="left:${left}%"></i>`
      : html`<i style="left:${left}%;width:${percent(ms, whole)}%"></i>`;
  return html`<details class="row ${kind === "turn" ? "turn-bar" : kind} ${state}">
<summary>
<span class="what" style="--d:${depth}"><span class="line"><span class="kind">${label}</span>${
    name === "" ? null : html`<span class="name">${name}</span>`
  }${owner === null ? null : html`<span class="owner">${owner}</span>`}</span>${
    note === "" ? null : html`<span class="note">${note}</span>`
  }</span>
<span class="track">${bar}</span>
<span class="ms">${ms === null ? "" : duration(ms)}</span>
</summary>
<div class="data">${changeOf(row.events, words)}
<div><h3>${words.page.data}</h3><pre>${shown(row.events.map(withoutPlace))}</pre></div></div>
</details>
`;
}

/** What a hook or a call's hooks made of what they were given; null when nothing was changed. */
function changeOf(events: readonly RecordEvent[], { page }: Words): Html | null {
  const asked = pick(events, "hook_asked");
  const answered = pick(events, "hook_answered");
  const called = pick(events, "tool_called");
  const rewritten = pick(events, "tool_rewritten");
  const pair =
    asked && answered?.after !== undefined
      ? differing(asked.payload, answered.after)
      : called && rewritten
        ? { before: called.arguments, after: rewritten.arguments }
        : undefined;
  if (!pair) return null;
  return html`<div class="pair"><div><h3>${page.before}</h3><pre>${shown(pair.before)}</pre></div><div><h3>${page.after}</h3><pre>${shown(pair.after)}</pre></div></div>`;
}

/** Of two objects only the fields that are not the same in both. */
function differing(before: unknown, after: unknown): { before: unknown; after: unknown } {
  if (!isObject(before) || !isObject(after)) return { before, after };
  const names = Object.keys(after).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const only = (of: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, of[name]]));
  return { before: only(before), after: only(after) };
}

function withoutPlace({ turnId: _, spanId: _span, parentId: _parent, ...fact }: RecordEvent): object {
  return fact;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? "";
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST}`;
}

function percent(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.round(Math.min(1, Math.max(0, part / whole)) * 10_000) / 100;
}
