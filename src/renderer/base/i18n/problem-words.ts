import { type ErrorCode, errorCatalogue, type Problem } from "../../../contract/errors.ts";
import { isObject } from "../../../contract/is-object.ts";
import type { WallNote } from "../../../contract/permissions/wall-notes.ts";
import { translatedErrors } from "./error-words.ts";
import { i18n } from "./index.ts";
import { wallNoteLine } from "./wall-note-line.ts";

/** What is shown of a failed call: a sentence, the next step, and details to fold away. */
export interface ShownProblem extends Omit<Problem, "code"> {
  code: ErrorCode | "DISCONNECTED";
}

/** A failure as it is read on the screen, in the chosen language. */
export interface ProblemWords {
  title: string;
  help: string | undefined;
  /** The core's English sentence with the names in it, unless the title is that sentence. */
  original: string | undefined;
}

/**
 * The core writes its sentences in English. In another language the catalogue's cause and next step are shown first.
 * Where those have no place for the names in the core's sentence, the sentence stands below them.
 */
export function problemWords(problem: ShownProblem): ProblemWords {
  const words =
    i18n.language === "de" && problem.code !== "DISCONNECTED"
      ? translatedErrors()?.[problem.code]
      : undefined;
  if (!words) return { title: problem.message, help: problem.help, original: undefined };
  const notes = wallNotesIn(problem);
  if (notes !== null) return { title: words.cause, help: words.help, original: notes };
  const own = problem.code === "DISCONNECTED" ? undefined : errorCatalogue[problem.code].help;
  const more = problem.help === own ? undefined : problem.help;
  const named = words.named && filled(words.named, problem.details ?? {});
  if (named) return { title: named, help: words.help, original: more };
  const original = [problem.message, more].filter(Boolean).join(" ");
  return { title: words.cause, help: words.help, original };
}

/** Why no walls stand, where the problem is that: the core says it by name, and not in English alone. Else null. */
function wallNotesIn({ code, details }: ShownProblem): string | null {
  if (code !== "WALLS_MISSING") return null;
  const notes = Array.isArray(details?.notes) ? details.notes : [];
  if (notes.length === 0 || !notes.every(isWallNote)) return null;
  return notes.map((note) => wallNoteLine(note, i18n.t)).join(" ");
}

/** By hand, because the library of schemas is not among the files of the first page. */
function isWallNote(note: unknown): note is WallNote {
  if (!isObject(note) || typeof note.code !== "string" || !i18n.exists(`walls.note.${note.code}`))
    return false;
  return [note.name, note.reason].every((text) => text === undefined || typeof text === "string");
}

/** The sentence with its names, or null when the problem does not have one of them. */
function filled(sentence: string, details: Record<string, unknown>): string | null {
  let complete = true;
  const text = sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = details[name];
    const words = Array.isArray(value) ? value.join(", ") : value;
    if (typeof words !== "string" || words === "") complete = false;
    return String(words);
  });
  return complete ? text : null;
}

/** Codes whose sentence was written by a plugin or provider: the catalogue has nothing better to say. */
const inOthersWords: ReadonlySet<ErrorCode | "DISCONNECTED"> = new Set<ErrorCode>([
  "CONFIG_REFUSED",
  "START_FAILED",
  "PLUGIN_REPORTED",
  "SETUP_FAILED",
  "SETUP_INVALID",
  "SIGN_IN_DENIED",
  "SIGN_IN_FAILED",
  "PROVIDER_FAILED",
  "TOOL_FAILED",
  "TOOL_VETOED",
  "COMMAND_FAILED",
  "HOOK_BLOCKED",
  "HOOK_FAILED",
]);

/** The language of {@link ProblemWords.original}; undefined where somebody else than the core wrote it, in whatever language. */
export function languageOfOriginal(problem: ShownProblem): "en" | undefined {
  const { code } = problem;
  if (wallNotesIn(problem) !== null) return undefined;
  return inOthersWords.has(code) || code === "CREDENTIALS_REFUSED" ? undefined : "en";
}

/** A failure in one line, where there is no room for more: what happened, in the chosen language if it can be said in it. */
export function problemLine(problem: ShownProblem): string {
  return inOthersWords.has(problem.code) ? problem.message : problemWords(problem).title;
}
