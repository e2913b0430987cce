import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { isSameJson } from "../../../contract/diff/json-diff.ts";
import { type TextPart, wordsBetween } from "../../../contract/diff/text-diff.ts";
import { cleanJson, exactText } from "../../../contract/shown/clean-text.ts";
import type { Words } from "../../../contract/tools/said.ts";
import { cx } from "../../ui/class-names.ts";
import { JsonDiff } from "../../ui/json/json-diff.tsx";

/** What was agreed to at the left, what is said now at the right, with the words marked by which they differ. */
export function Beside({ before, after }: { before: Words | null; after: Words }) {
  const { t } = useTranslation();
  const words = useMemo(
    () => wordsBetween(exactText(before?.text ?? ""), exactText(after.text)),
    [before, after],
  );
  const isSame = before?.text === after.text;
  const changedMore = before !== null && !isSameJson(before.more, after.more);
  const newMore = before === null && Object.keys(after.more).length > 0;
  return (
    <div className="space-y-3">
      <div className={cx("grid gap-3", before && "@lg:grid-cols-2")}>
        {before && (
          <Side
            label={t("offered.before")}
            text={before.text}
            parts={isSame ? null : words.before}
            tone="bad"
          />
        )}
        <Side
          label={t(before ? "offered.after" : "offered.says")}
          text={after.text}
          parts={isSame || !before ? null : words.after}
          tone="ok"
        />
      </div>
      {(before?.cut || after.cut) && <p className="text-sm text-warn">{t("offered.cut")}</p>}
      {(changedMore || newMore) && (
        <div>
          <h4 className="mb-1 text-xs font-semibold text-mute">{t("offered.details")}</h4>
          {before ? (
            <JsonDiff before={before.more} after={after.more} label={t("offered.details")} />
          ) : (
            <pre
              // What scrolls is reached by the keyboard.
              tabIndex={0}
              className="figure max-h-60 overflow-auto rounded-md bg-sunk px-3 py-2 wrap-anywhere whitespace-pre-wrap"
            >
              {cleanJson(JSON.stringify(after.more, null, 2))}
            </pre>
          )}
        </div>
      )}
    </div>
  );
}

interface SideProps {
  label: string;
  text: string;
  /** Null: nothing of it is marked. */
  parts: TextPart[] | null;
  tone: "bad" | "ok";
}

const washes = { bad: "rounded-xs bg-bad/16", ok: "rounded-xs bg-ok/18" } as const;

function Side({ label, text, parts, tone }: SideProps) {
  const { t } = useTranslation();
  const shown = parts ?? [{ text: exactText(text), marked: false }];
  const Marked = tone === "bad" ? "del" : "ins";
  return (
    <section aria-label={label} className="min-w-0 rounded-md border border-line bg-sunk">
      <h4 className="border-b border-line px-3 py-1.5 text-xs font-semibold text-mute">{label}</h4>
      <p
        // What scrolls is reached by the keyboard.
        tabIndex={0}
        className="max-h-60 overflow-auto px-3 py-2 text-sm wrap-anywhere whitespace-pre-wrap"
      >
        {text === "" && <span className="text-mute">{t("offered.nothingSaid")}</span>}
        {shown.map(({ text: part, marked }, index) =>
          marked ? (
            // Pieces of one text, which never change their places.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <Marked key={index} className={cx("no-underline", washes[tone])}>
              {part}
            </Marked>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <span key={index}>{part}</span>
          ),
        )}
      </p>
    </section>
  );
}
