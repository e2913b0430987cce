import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import {
  linesBetween,
  type TextLine,
  type TextPart,
  wordsBetween,
} from "../../../contract/diff/text-diff.ts";
import { cleanJson, exactText } from "../../../contract/shown/clean-text.ts";
import { cx } from "../class-names.ts";

/** Values that are together no longer than this, in characters, stand on one line with an arrow between them. */
const ON_ONE_LINE = 90;

/** A value that became another: both in JSON, with the words marked by which they differ. */
export function Changed({ before, after }: { before: unknown; after: unknown }) {
  const { t } = useTranslation();
  const isText = typeof before === "string" && typeof after === "string";
  if (isText && (before.includes("\n") || after.includes("\n")))
    return <TextDiff before={before} after={after} />;
  const was = jsonOf(before);
  const is = jsonOf(after);
  const words = isText ? wordsBetween(was, is) : { before: whole(was), after: whole(is) };
  const isShort = was.length + is.length <= ON_ONE_LINE;
  const old = (
    <del className={cx("no-underline", !isShort && "block")}>
      <span className="sr-only">{t("diff.before")} </span>
      <Parts parts={isShort ? whole(was) : words.before} tone="removed" />
    </del>
  );
  const now = (
    <ins className={cx("no-underline", !isShort && "block")}>
      <span className="sr-only">{t("diff.after")} </span>
      <Parts parts={isShort ? whole(is) : words.after} tone="added" />
    </ins>
  );
  if (!isShort)
    return (
      <span className="mt-0.5 block space-y-0.5 border-l-2 border-line-strong pl-2">
        {old}
        {now}
      </span>
    );
  return (
    <>
      {old}
      <span aria-hidden="true" className="text-mute">
        {" → "}
      </span>
      {now}
    </>
  );
}

/** So many unchanged lines are shown around a changed one. */
const AROUND = 2;

/** Two texts of several lines, with those that differ and a little around them. */
export function TextDiff({ before, after }: { before: string; after: string }) {
  const { t } = useTranslation();
  const lines = useMemo(() => shownLines(exactText(before), exactText(after)), [before, after]);
  const words = { same: "", removed: t("diff.before"), added: t("diff.after") };
  return (
    <span className="mt-0.5 block border-l-2 border-line-strong pl-2">
      {lines.map(({ id, line }) =>
        line === null ? (
          <span key={id} className="block text-mute" aria-hidden="true">
            ⋯
          </span>
        ) : (
          <span key={id} className={cx("block", line.sign === "same" && "text-mute")}>
            {line.sign !== "same" && <span className="sr-only">{words[line.sign]} </span>}
            <span aria-hidden="true" className={signTones[line.sign]}>
              {signs[line.sign]}
            </span>
            <Parts parts={line.parts} tone={line.sign} />
          </span>
        ),
      )}
    </span>
  );
}

/** The lines that are shown, by their places; a null stands for those that are left out. */
function shownLines(before: string, after: string): { id: number; line: TextLine | null }[] {
  const lines = linesBetween(before, after);
  return lines.flatMap((line, id): { id: number; line: TextLine | null }[] => {
    if (isNear(lines, id)) return [{ id, line }];
    return id === 0 || isNear(lines, id - 1) ? [{ id, line: null }] : [];
  });
}

const signs = { same: "  ", removed: "− ", added: "+ " } as const;
const signTones = { same: "", removed: "font-bold text-bad", added: "font-bold text-ok" } as const;
const washes = { same: "", removed: "rounded-xs bg-bad/16", added: "rounded-xs bg-ok/18" } as const;

function Parts({ parts, tone }: { parts: TextPart[]; tone: TextLine["sign"] }) {
  return parts.map(({ text, marked }, index) => (
    // Pieces of one text, which never change their places.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <span key={index} className={marked ? cx("text-ink", washes[tone]) : "text-mute"}>
      {text}
    </span>
  ));
}

function isNear(lines: TextLine[], index: number): boolean {
  return lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ sign }) => sign !== "same");
}

const whole = (text: string): TextPart[] => [{ text, marked: true }];

function jsonOf(value: unknown): string {
  return cleanJson(JSON.stringify(value) ?? "undefined");
}
