import type { TFunction } from "i18next";
import { cleanLine } from "../../../../contract/shown/clean-text.ts";
import type { ComparedRow } from "../../../../contract/trace/compared.ts";
import type { TraceSpan } from "../../../../contract/trace/spans.ts";
import { eventName } from "../timeline/rows/row-words.ts";

interface Words {
  t: TFunction;
  /** A plugin's name on the screens. */
  nameOf(key: string): string;
}

/** What a stretch is called: what happened, and whose doing it was. */
export function spanWords(span: TraceSpan, { t, nameOf }: Words): string {
  const owner = span.owner === null ? null : nameOf(span.owner);
  const of = (what: string) => (owner === null ? what : `${what} · ${owner}`);
  switch (span.kind) {
    case "turn":
      return cleanLine(span.name) || t("replay.turn");
    case "model":
      return t("timeline.row.model");
    case "hook":
      return of(eventName(span.name));
    case "tool":
      return span.name;
    case "run":
      return of(t("timeline.row.run"));
    case "approval":
      return t("timeline.row.approval");
    case "pause":
      return t("timeline.row.pause");
    case "dialog":
      return of(t("timeline.row.dialog"));
  }
}

/** What differs in a row, for those who cannot see it and for the card. */
export function differenceWords({ differences }: ComparedRow, t: TFunction): string[] {
  return differences.map(({ kind }) => t(`replay.diff.${kind}`));
}
