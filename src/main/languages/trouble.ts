import type { LanguageTrouble } from "../../contract/procedures/languages.ts";

/** A language server does not do its work. */
export class LanguageServerError extends Error {
  readonly trouble: LanguageTrouble;

  constructor(why: LanguageTrouble["why"], text: string) {
    super(text);
    this.trouble = { why, text };
  }
}

/** What an error from asking a server says of it. */
export function troubleOf(error: unknown): LanguageTrouble {
  if (error instanceof LanguageServerError) return error.trouble;
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof DOMException && error.name === "TimeoutError") return { why: "silent", text };
  return { why: "refused", text };
}
