import { cleanJson, exactText } from "./clean-text.ts";

/** An argument of a call as people read it before they decide. */
export interface ShownArgument {
  name: string;
  /** Whole, with what would hide in it spelled out. */
  text: string;
  /** Its beginning and end, and how many characters stand between them; null when it is short enough to be shown whole. */
  folded: { head: string; tail: string; hidden: number } | null;
}

/** What says where something happens, or what runs: it is never put below a long text, and is folded late. */
const decisive =
  /^(.*[_-])?(paths?|files?|filename|dir|directory|folder|cwd|workdir|command|cmd|args|argv|program|executable|script|url|urls|uri|host|hosts|hostname|domain|address|server|port|method|source|target|destination|dest|recipients?|to|cc|bcc|name|key|id)$/i;
const decisiveEnd = /(Path|File|Dir|Directory|Folder|Command|Url|Uri|Host|Name|Address|Target|Id)s?$/;

const limits = {
  decisive: { characters: 3_000, lines: 60, head: 1_500, headLines: 30, tail: 600, tailLines: 10 },
  other: { characters: 1_000, lines: 20, head: 400, headLines: 8, tail: 200, tailLines: 4 },
};

/**
 * The arguments in the order in which they are shown: short ones before long ones, and among equals those that say where and
 * what first, so that a path never stands below a page of text.
 */
export function wholeArguments(value: Record<string, unknown>): ShownArgument[] {
  return Object.entries(value)
    .map(([name, argument]) => shownArgument(name, argument))
    .map((one) => ({ one, rank: (one.folded ? 2 : 0) + (isDecisive(one.name) ? 0 : 1) }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ one }) => one);
}

/** The same order for a text that is cut somewhere: what is cut off is the end of the longest. */
export function inShownOrder(value: Record<string, unknown>): Record<string, unknown> {
  const rank = (name: string, argument: unknown) =>
    (shownArgument(name, argument).folded ? 2 : 0) + (isDecisive(name) ? 0 : 1);
  return Object.fromEntries(Object.entries(value).sort((a, b) => rank(...a) - rank(...b)));
}

/** An argument as it will be used: what would hide in it, or turn it round, is shown as an escape. */
export function argumentText(value: unknown): string {
  return typeof value === "string" ? exactText(value) : cleanJson(JSON.stringify(value, null, 2));
}

function isDecisive(name: string): boolean {
  return decisive.test(name) || decisiveEnd.test(name);
}

function shownArgument(name: string, argument: unknown): ShownArgument {
  const text = argumentText(argument);
  const limit = isDecisive(name) ? limits.decisive : limits.other;
  const lines = text.split("\n");
  if (text.length <= limit.characters && lines.length <= limit.lines)
    return { name: exactText(name), text, folded: null };
  const head = lines.slice(0, limit.headLines).join("\n").slice(0, limit.head).toWellFormed();
  const tail = lines.slice(-limit.tailLines).join("\n").slice(-limit.tail).toWellFormed();
  const hidden = text.length - head.length - tail.length;
  return { name: exactText(name), text, folded: hidden > 0 ? { head, tail, hidden } : null };
}
