import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ComparedRow } from "../../../../contract/trace/compared.ts";
import { IconButton } from "../../../ui/controls/button.tsx";
import { JsonDiff } from "../../../ui/json/json-diff.tsx";
import { lookOf, Mark } from "./compared-row.tsx";
import { spanWords } from "./words.ts";

interface DifferenceCardProps {
  row: ComparedRow;
  nameOf(key: string): string;
  onClose(): void;
}

/** What differs in the chosen row, in words and value by value. */
export function DifferenceCard({ row, nameOf, onClose }: DifferenceCardProps) {
  const { t } = useTranslation();
  const span = row.left ?? row.right;
  const title = span ? spanWords(span, { t, nameOf }) : "";
  return (
    <section
      aria-label={t("replay.card", { what: title })}
      className="mt-4 max-h-[46%] shrink-0 overflow-y-auto rounded-lg border border-line bg-surface px-4 py-3 shadow-card"
    >
      <header className="flex items-start gap-2.5">
        <Mark row={row} />
        <h2 className="min-w-0 flex-1 font-semibold wrap-anywhere">{title}</h2>
        <IconButton label={t("detail.close")} className="-mt-1 -mr-1.5 size-7" onClick={onClose}>
          <X className="size-3.5" aria-hidden="true" />
        </IconButton>
      </header>
      <div className="mt-1.5 space-y-3">
        {row.differences.length === 0 && (
          <p className="text-pretty text-mute">
            {t(`replay.without.${lookOf(row) === "same" ? "same" : "in"}`)}
          </p>
        )}
        {row.differences.map((one) => (
          <div key={one.kind}>
            <p className="text-pretty">
              {t(`replay.diff.${one.kind}`)}{" "}
              {one.follows && <span className="text-mute">{t("replay.follows")}</span>}
            </p>
            {one.kind !== "missing" && one.kind !== "added" && (
              <JsonDiff
                className="mt-1.5"
                label={t(`replay.diff.${one.kind}`)}
                before={one.left ?? null}
                after={one.right ?? null}
              />
            )}
          </div>
        ))}
      </div>
    </section>
  );
}
