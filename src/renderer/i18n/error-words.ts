import type { ErrorCode } from "../../contract/errors.ts";

export type ErrorWords = Record<ErrorCode, { cause: string; help: string }>;
let translated: ErrorWords | null = null;

/** Takes the errors of another language than English into use; called when its catalogue has been loaded. */
export function takeErrorWords(words: ErrorWords): void {
  translated = words;
}

export function translatedErrors(): ErrorWords | null {
  return translated;
}
