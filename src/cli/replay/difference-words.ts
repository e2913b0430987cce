import type { ComparedRow, DifferenceKind, TurnDifference } from "../../contract/index.ts";
import { isObject } from "../../contract/is-object.ts";

const what: Record<DifferenceKind, string> = {
  missing: "is not there any more",
  added: "was not there before",
  given: "another message was given",
  message: "the message is another after the hooks",
  prompt: "the system prompt is another",
  said: "plugins left something else in the conversation",
  steered: "plugins told the model something else",
  stopped: "it was stopped at another place",
  end: "it ended otherwise",
  text: "the text is another",
  model: "another model was asked, or with other options",
  messages: "the model was sent something else",
  answer: "the model answered something else",
  input: "it was asked about something else",
  decision: "it decided otherwise",
  changes: "it changed it otherwise",
  effects: "it asked for something else beside its answer",
  call: "the model called it with other arguments",
  rule: "another rule decided",
  arguments: "it has other arguments after the hooks",
  approval: "it was approved or refused otherwise",
  output: "the tool gave something else",
  result: "the model was given another result",
  question: "another question was asked",
  reply: "the question was answered otherwise",
};

/** What differs in a row, as lines for a person: what it is, and below it what changed. */
export function differenceLines({ left, right, differences }: ComparedRow): string[] {
  const span = left ?? right;
  const name = [
    kinds[span?.kind ?? "turn"],
    span?.kind === "turn" ? "" : span?.name,
    span?.owner && `(${span.owner})`,
  ];
  const title = name.filter(Boolean).join(" ").replaceAll(/\s+/g, " ");
  return differences.flatMap((one) => [`${title}: ${what[one.kind]}`, ...changes(one)]);
}

const kinds = {
  turn: "The turn",
  model: "Model call",
  hook: "Hook",
  tool: "Tool",
  approval: "Approval of",
  run: "Run of",
  dialog: "Question",
  pause: "Stopped before",
} as const;

/** Most changed places of one difference that are listed. */
const most = 8;

function changes({ kind, left, right }: TurnDifference): string[] {
  if (kind === "missing" || kind === "added") return [];
  const all = changedPlaces(left, right, "");
  const shown = all.slice(0, most).map(([place, before, after]) => {
    const where = place === "" ? "" : `${place}: `;
    return `    ${where}${short(before)} → ${short(after)}`;
  });
  return all.length > most ? [...shown, `    and ${all.length - most} more`] : shown;
}

/** The places at which two values differ, with both values. */
function changedPlaces(
  left: unknown,
  right: unknown,
  place: string,
): [place: string, left: unknown, right: unknown][] {
  if (JSON.stringify(left) === JSON.stringify(right)) return [];
  const isBoth = (test: (value: unknown) => boolean) => test(left) && test(right);
  if (!isBoth(isObject) && !isBoth(Array.isArray)) return [[place, left, right]];
  const [one, other] = [left as Record<string, unknown>, right as Record<string, unknown>];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.flatMap((name) =>
    changedPlaces(one[name], other[name], place === "" ? name : `${place}.${name}`),
  );
}

function short(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = typeof value === "string" ? `“${value}”` : (JSON.stringify(value) ?? "nothing");
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
