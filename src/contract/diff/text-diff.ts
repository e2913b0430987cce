import { type Step, stepsBetween } from "./sequence.ts";

/** A piece of a text; `marked` when the other text does not have it. */
export interface TextPart {
  text: string;
  marked: boolean;
}

export interface TextLine {
  sign: "same" | "removed" | "added";
  parts: TextPart[];
}

/** Texts that share less than this of their words are told apart as wholes. */
const LEAST_COMMON = 0.3;

/** Two texts with the words marked by which they differ; both marked whole when they have little in common. */
export function wordsBetween(before: string, after: string): { before: TextPart[]; after: TextPart[] } {
  const steps = stepsBetween(wordsOf(before), wordsOf(after));
  const common = steps.reduce(
    (sum, step) => (step.sign === "same" ? sum + step.before.trim().length : sum),
    0,
  );
  const longer = Math.max(before.length, after.length);
  if (longer > 0 && common / longer < LEAST_COMMON)
    return { before: [{ text: before, marked: true }], after: [{ text: after, marked: true }] };
  return { before: partsOf(steps, "removed"), after: partsOf(steps, "added") };
}

/** Two texts line by line; lines that were changed have the words marked. */
export function linesBetween(before: string, after: string): TextLine[] {
  const lines: TextLine[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    const pairs = Math.min(removed.length, added.length);
    const words = Array.from({ length: pairs }, (_, index) =>
      wordsBetween(removed[index] as string, added[index] as string),
    );
    const whole = (text: string): TextPart[] => [{ text, marked: true }];
    removed.forEach((text, index) => {
      lines.push({ sign: "removed", parts: words[index]?.before ?? whole(text) });
    });
    added.forEach((text, index) => {
      lines.push({ sign: "added", parts: words[index]?.after ?? whole(text) });
    });
    removed = [];
    added = [];
  };
  for (const step of stepsBetween(before.split("\n"), after.split("\n"))) {
    if (step.sign === "removed") removed.push(step.before);
    else if (step.sign === "added") added.push(step.after);
    else {
      flush();
      lines.push({ sign: "same", parts: [{ text: step.before, marked: false }] });
    }
  }
  flush();
  return lines;
}

/** Words, runs of blanks, and each other sign for itself; together they are the text. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function partsOf(steps: Step<string>[], mine: "removed" | "added"): TextPart[] {
  const parts: TextPart[] = [];
  for (const step of steps) {
    if (step.sign !== "same" && step.sign !== mine) continue;
    const text = step.sign === "added" ? step.after : step.before;
    const marked = step.sign !== "same";
    const last = parts.at(-1);
    if (last?.marked === marked) last.text += text;
    else parts.push({ text, marked });
  }
  return parts;
}
