import type { TFunction } from "i18next";
import { sourceKindSchema } from "../../../contract/plugin.ts";
import type { Growth } from "../../../contract/shown/growth.ts";

/** One thing that a plugin offers or asks for beyond what was agreed to, as a sentence of the screen's language. */
export function growthLine({ kind, name, detail }: Growth, t: TFunction): string {
  if (kind === "namespace") {
    const any = t("grown.anyNames");
    return t("grown.namespace", { name: name ?? any, detail: detail ?? any });
  }
  if (kind === "sourceKind") {
    return t("grown.sourceKind", { name: sourceWord(name, t), detail: sourceWord(detail, t) });
  }
  return t(`grown.${kind}`, { name: name ?? "", detail: detail ?? "" });
}

function sourceWord(kind: string | undefined, t: TFunction): string {
  const known = sourceKindSchema.safeParse(kind);
  return known.success ? t(`source.${known.data}`) : (kind ?? "");
}

/** What an update asks for beyond the old version. Jobs of older versions have English sentences alone. */
export function growthLines(
  consent: { grown: readonly Growth[]; changes: string[] },
  t: TFunction,
): string[] {
  if (consent.grown.length !== consent.changes.length) return consent.changes;
  return consent.grown.map((one) => growthLine(one, t));
}
