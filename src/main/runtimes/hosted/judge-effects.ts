import type { z } from "zod";
import { MAX_EFFECTS, MAX_ENTRY_DATA, MAX_NOTIFY_TEXT } from "../../../contract/effects/limits.ts";
import { type Effect, effectSchema } from "../../../contract/index.ts";
import { cleanDeep, cleanLine, cleanText } from "../../../contract/shown/clean-text.ts";
import { issueWords } from "../../../contract/shown/issue-words.ts";
import type { CallScope } from "../plugin-call.ts";
import { isWithin } from "./size.ts";

/** Most sentences about one answer. */
const MOST_NOTES = 5;

/**
 * Judges what a plugin asked for beside an answer, and hands on to the call's scope what it may ask for.
 *
 * @param plugin its name, for the log
 * @param log told, a sentence each, what was left out and why
 */
export function handOnEffects(
  raw: unknown,
  scope: CallScope | undefined,
  plugin: string,
  log: (text: string) => void,
): void {
  if (raw === undefined || raw === null) return;
  const { effects, notes } = judgeEffects(raw);
  for (const note of notes.slice(0, MOST_NOTES))
    log(`${plugin} asked for something beside its answer: ${note}`);
  if (effects.length === 0) return;
  if (scope?.effects) scope.effects(effects);
  else log(`${plugin} asked for something beside its answer in a call that allows nothing of the kind.`);
}

/** What of it is understood, with texts fit to be shown, and sentences about the rest. */
export function judgeEffects(raw: unknown): { effects: Effect[]; notes: string[] } {
  if (!Array.isArray(raw)) return { effects: [], notes: ["it is no list, and was left out."] };
  const effects: Effect[] = [];
  const notes: string[] = [];
  if (raw.length > MAX_EFFECTS)
    notes.push(
      `it asked for more than ${MAX_EFFECTS} things in one answer; only the first ${MAX_EFFECTS} count.`,
    );
  let told = 0;
  let cut = false;
  for (const one of raw.slice(0, MAX_EFFECTS)) {
    const parsed = effectSchema.safeParse(one);
    if (!parsed.success) {
      notes.push(whyUnread(one, parsed.error));
      continue;
    }
    const effect = cleaned(parsed.data);
    if (effect === null) {
      notes.push("the data of an entry are no JSON or larger than 256 KiB; the entry was left out.");
      continue;
    }
    if (effect.kind === "notify") {
      const left = MAX_NOTIFY_TEXT - told;
      if (left <= 0) {
        cut = true;
        continue;
      }
      told += effect.text.length;
      if (effect.text.length > left) cut = true;
      effect.text = effect.text.slice(0, left).toWellFormed();
    }
    effects.push(effect);
  }
  if (cut) {
    const text = "More was said at once than is shown; the rest was left out.";
    effects.push({ kind: "notify", text, level: "warn" });
    notes.push("its notices were longer than 64 KiB together; the rest was left out.");
  }
  return { effects, notes };
}

function whyUnread(one: unknown, error: z.ZodError): string {
  const [issue] = error.issues;
  const kind = typeof one === "object" && one !== null && "kind" in one ? one.kind : undefined;
  if (typeof kind !== "string") return "it does not say what it is, and was left out.";
  const known = effectSchema.options.some(({ shape }) => shape.kind.value === kind);
  const named = cleanLine(kind).slice(0, 64);
  if (!known) return `Patchbay does not know \`${named}\`; it was left out.`;
  return `\`${named}\` was left out, because a part of it ${issue ? issueWords({ ...issue }) : "is not accepted"}.`;
}

/** The same with every text fit to be shown; null when its data are not JSON, or too large. */
function cleaned(effect: Effect): Effect | null {
  switch (effect.kind) {
    case "thinkingLevel":
    case "stopAfterTurn":
      return effect;
    case "nextModel":
      return { ...effect, model: cleanLine(effect.model) };
    case "steer":
    case "followUp":
    case "run":
    case "notify":
      return { ...effect, text: cleanText(effect.text) };
    case "entry": {
      const data = plainData(effect.data);
      if (data === undefined) return null;
      return { ...effect, type: cleanLine(effect.type), data, ...drawn(effect) };
    }
    case "customMessage": {
      const { type, content } = effect;
      return {
        ...effect,
        ...(type !== undefined && { type: cleanLine(type) }),
        content: cleanText(content),
        ...drawn(effect),
      };
    }
    case "session":
      return { ...effect, request: cleanDeep(effect.request, cleanLine, asItIs) };
  }
}

function drawn({ lines }: Extract<Effect, { kind: "entry" | "customMessage" }>) {
  return lines && { lines: lines.map(({ color, text }) => ({ color, text: cleanText(text) })) };
}

/** The data as plain JSON; undefined when they are none, or too large. */
function plainData(data: unknown): unknown {
  if (!isWithin(data, MAX_ENTRY_DATA)) return undefined;
  try {
    return cleanDeep(JSON.parse(JSON.stringify(data ?? null)));
  } catch {
    return undefined;
  }
}

function asItIs(text: string): string {
  return text;
}
