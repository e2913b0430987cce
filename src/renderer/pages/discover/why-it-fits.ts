import type { CatalogEntry } from "../../../contract/job.ts";
import { i18n } from "../../base/i18n/index.ts";
import { descriptionOf } from "../../base/i18n/plugin-words.ts";
import { capabilityWords } from "../../features/catalogue/capability-words.ts";

const wordsOf = (query: string) => query.toLowerCase().split(/\s+/).filter(Boolean);

/** The text in pieces, those that were searched for apart. */
export function partsOf(text: string, query: string): { part: string; found: boolean; at: number }[] {
  const words = wordsOf(query).sort((a, b) => b.length - a.length);
  const lower = text.toLowerCase();
  // A letter that has another length in lower case would move every place after it.
  if (words.length === 0 || lower.length !== text.length) return [{ part: text, found: false, at: 0 }];
  const parts: { part: string; found: boolean; at: number }[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const word = words.find((each) => lower.startsWith(each, at));
    if (!word) {
      at++;
      continue;
    }
    if (at > from) parts.push({ part: text.slice(from, at), found: false, at: from });
    parts.push({ part: text.slice(at, at + word.length), found: true, at });
    at += word.length;
    from = at;
  }
  if (from < text.length) parts.push({ part: text.slice(from), found: false, at: from });
  return parts;
}

/** Says by what it was found, where neither its name nor its description shows it. */
export function whyItFits(entry: CatalogEntry, query: string): string | null {
  const shown = `${entry.displayName}\n${descriptionOf(entry)}`.toLowerCase();
  const hidden = wordsOf(query).filter((word) => !shown.includes(word));
  if (hidden.length === 0) return null;
  const reasons = [...capabilityWords(entry), entry.publisher, entry.packageName];
  const said = hidden.flatMap((word) => reasons.find((reason) => reason?.toLowerCase().includes(word)) ?? []);
  return said.length === 0 ? null : i18n.t("found.matches", { what: [...new Set(said)].join(", ") });
}
