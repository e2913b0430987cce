import type { ErrorCode } from "../../../contract/errors.ts";

export interface WordsOfError {
  cause: string;
  help: string;
  /** The cause with names in it, as `{name}` of the problem's details; used when it has them all. */
  named?: string;
}
export type ErrorWords = Record<ErrorCode, WordsOfError>;
let translated: ErrorWords | null = null;

/** Takes the errors of another language than English into use; called when its catalogue has been loaded. */
export function takeErrorWords(words: ErrorWords): void {
  translated = words;
}

export function translatedErrors(): ErrorWords | null {
  return translated;
}
