import { PatchbayError } from "../../contract/index.ts";
import { cleanText } from "../../contract/shown/clean-text.ts";
import type { Fact } from "./manifest-fact.ts";

export interface FieldProblem {
  /** Path in the manifest, as an author would write it: `tools.namespace`, `secretKeys[0].key`. */
  field: string;
  message: string;
}

/** What is wrong with one manifest, collected so that its author sees everything at once. */
export class ManifestProblems {
  readonly problems: FieldProblem[] = [];
  readonly warnings: string[] = [];

  add(field: string, message: string): void {
    this.problems.push({ field: cleanText(field), message: cleanText(message) });
  }

  warn(sentence: string): void {
    this.warnings.push(cleanText(sentence));
  }

  /** @throws PatchbayError MANIFEST_INVALID with the first problem as its message and all in `details.problems` */
  throwIfAny(): void {
    const [first] = this.problems;
    if (!first) return;
    throw new PatchbayError("MANIFEST_INVALID", first.message, {
      help:
        this.problems.length === 1
          ? "The author of the plugin must correct this field."
          : `The author of the plugin must correct this and ${this.problems.length - 1} more; all are in the details.`,
      details: { problems: this.problems },
    });
  }

  /** A problem of the usual kind: what a field must be, and what it is. */
  expected(field: string, wanted: string, found: Fact): void {
    const what = found.kind === "absent" ? "it is missing" : `it is ${inWords(found)}`;
    this.add(field, `\`${field}\` must be ${wanted}, but ${what}. The plugin's author must correct it.`);
  }
}

export function inWords(fact: Fact): string {
  switch (fact.kind) {
    case "absent":
      return "missing";
    case "null":
      return "null";
    case "text":
      return fact.value === "" ? "an empty text" : `"${shorten(fact.value)}"`;
    case "number":
    case "flag":
      return String(fact.value);
    case "function":
      return "a function";
    case "list":
      return "a list";
    case "object":
      return "an object";
    case "unreadable":
      return `unreadable (${fact.reason})`;
  }
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
