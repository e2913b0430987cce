import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type DiffLine, diffJson } from "../../../contract/diff/json-diff.ts";
import { cleanJson, exactText } from "../../../contract/shown/clean-text.ts";
import { cx } from "../class-names.ts";
import { Changed } from "./changed.tsx";

interface JsonDiffProps {
  before: unknown;
  after: unknown;
  /** Read out before the lines: what was compared. */
  label?: string;
  className?: string;
}

/** Two JSON values put over each other: what was there before in red, what is there now in green. */
export function JsonDiff({ before, after, label, className }: JsonDiffProps) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const rows = useMemo(() => folded(diffJson(before, after)), [before, after]);
  const isEqual = rows.length === 1 && rows[0]?.lines[0]?.kind === "same";
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fields stand in it
    <div
      role="group"
      aria-label={label ?? t("diff.label")}
      // What scrolls is reached by the keyboard.
      tabIndex={0}
      className={cx("figure relative max-h-96 overflow-auto rounded-md bg-sunk py-1.5", className)}
    >
      {isEqual && <p className="px-3 font-sans text-xs text-mute">{t("diff.same")}</p>}
      {rows.map(({ id, lines, isRun }) =>
        isRun && !isWhole ? (
          <button
            key={id}
            type="button"
            onClick={() => setWhole(true)}
            style={indent(lines[0]?.depth ?? 0)}
            className="block w-full py-px pr-3 text-left font-sans text-xs text-mute hover:text-ink"
          >
            {t("diff.unchanged", { count: lines.length })}
          </button>
        ) : (
          lines.map((line) => <Line key={`${line.kind} ${line.path}`} line={line} />)
        ),
      )}
    </div>
  );
}

/** So many unchanged lines in a row are still shown. */
const FEW = 3;

interface Rows {
  id: number;
  lines: DiffLine[];
  isRun: boolean;
}

/** Long runs of unchanged lines become one row. */
function folded(lines: DiffLine[]): Rows[] {
  const rows: Rows[] = [];
  let run: DiffLine[] = [];
  const put = (some: DiffLine[]) => rows.push({ id: rows.length, lines: some, isRun: some.length > FEW });
  const flush = () => {
    if (run.length > 0) put(run);
    run = [];
  };
  for (const line of lines) {
    if (line.kind === "same") run.push(line);
    else {
      flush();
      put([line]);
    }
  }
  flush();
  return rows;
}

const closing = { "{": "}", "[": "]" } as const;

function Line({ line }: { line: DiffLine }) {
  const { t } = useTranslation();
  const name = line.name === null ? null : <span className="text-mute">{exactText(line.name)}: </span>;
  switch (line.kind) {
    case "open":
      return (
        <Row depth={line.depth} className="text-mute">
          {name}
          {line.bracket}
        </Row>
      );
    case "close":
      return (
        <Row depth={line.depth} className="text-mute">
          {closing[line.bracket]}
        </Row>
      );
    case "same":
      return (
        <Row depth={line.depth} className="text-mute">
          {name}
          {shortJson(line.value)}
        </Row>
      );
    case "added":
      return (
        <Row depth={line.depth}>
          {name}
          <ins className="rounded-xs bg-ok/18 text-ink no-underline">
            <span className="sr-only">{t("diff.added")} </span>
            <Sign>+</Sign>
            {wholeJson(line.value)}
          </ins>
        </Row>
      );
    case "removed":
      return (
        <Row depth={line.depth}>
          {name}
          <del className="rounded-xs bg-bad/16 text-ink no-underline">
            <span className="sr-only">{t("diff.removed")} </span>
            <Sign>−</Sign>
            {wholeJson(line.value)}
          </del>
        </Row>
      );
    case "changed":
      return (
        <Row depth={line.depth}>
          {name}
          <Changed before={line.before} after={line.after} />
        </Row>
      );
  }
}

function Row({ depth, className, children }: { depth: number; className?: string; children: ReactNode }) {
  return (
    <div style={indent(depth)} className={cx("py-px pr-3 wrap-anywhere whitespace-pre-wrap", className)}>
      {children}
    </div>
  );
}

function Sign({ children }: { children: string }) {
  return (
    <span aria-hidden="true" className="font-bold">
      {children}{" "}
    </span>
  );
}

function indent(depth: number) {
  return { paddingLeft: `${0.75 + depth}rem` };
}

/** Longest text of what did not change, in characters. */
const LONGEST_SAME = 100;

function shortJson(value: unknown): string {
  const text = wholeJson(value);
  return text.length > LONGEST_SAME ? `${text.slice(0, LONGEST_SAME).toWellFormed()}…` : text;
}

/** Longest text of what was added or removed, in characters. */
const LONGEST = 20_000;

function wholeJson(value: unknown): string {
  const text = cleanJson(JSON.stringify(value) ?? "undefined");
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text;
}
