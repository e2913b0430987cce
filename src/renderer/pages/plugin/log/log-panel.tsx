import { useVirtualizer } from "@tanstack/react-virtual";
import { Pause, Play } from "lucide-react";
import { memo, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { LogEntry, LogLevel } from "../../../../contract/agent-plugin.ts";
import type { ShownProblem } from "../../../base/client/problem.ts";
import { formatClock, formatMoment } from "../../../base/i18n/time.ts";
import { cx } from "../../../ui/class-names.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { levels, shownLines } from "./shown-lines.ts";
import { useWantedLine } from "./wanted-line.ts";

const rowHeight = 20;
/** A scroll that comes within this many milliseconds after an input was made by the person. */
const inputMs = 300;
const backwards = new Set(["Home", "PageUp", "ArrowUp"]);

interface LogPanelProps {
  entries: readonly LogEntry[];
  problem: ShownProblem | null;
}

/** The live log, with a level, a text to look for, a pause and a copy. */
export function LogPanel({ entries, problem }: LogPanelProps) {
  const { t } = useTranslation();
  const [level, setLevel] = useState<LogLevel>("debug");
  const [text, setText] = useState("");
  const [frozen, setFrozen] = useState<readonly LogEntry[] | null>(null);
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const shown = useMemo(() => shownLines(frozen ?? entries, level, wanted), [entries, frozen, level, wanted]);

  const showAll = () => {
    setText("");
    setLevel("debug");
  };
  return (
    <section
      aria-label={t("log.title")}
      className="flex h-[60vh] max-h-[560px] min-h-72 shrink-0 flex-col overflow-hidden rounded-lg border border-line bg-surface"
    >
      <header className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-4 py-1.5">
        <h2 className="mr-auto text-sm font-semibold">{t("log.title")}</h2>
        <input
          type="search"
          className="field h-7 w-44 text-xs"
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={t("log.filter")}
          aria-label={t("log.filter")}
        />
        <select
          className="field h-7 w-28 py-0 text-xs"
          value={level}
          aria-label={t("log.level")}
          onChange={(event) => setLevel(levels.find((known) => known === event.target.value) ?? "debug")}
        >
          {levels.map((choice) => (
            <option key={choice} value={choice}>
              {t(`log.level.${choice}`)}
            </option>
          ))}
        </select>
        <Button
          size="sm"
          aria-pressed={frozen !== null}
          onClick={() => setFrozen(frozen ? null : entries)}
          icon={
            frozen ? (
              <Play className="size-3.5" aria-hidden="true" />
            ) : (
              <Pause className="size-3.5" aria-hidden="true" />
            )
          }
        >
          {frozen ? t("log.resume", { count: newerThan(frozen, entries) }) : t("log.pause")}
        </Button>
        <CopyButton className="-mr-2.5" text={() => shown.map(lineOf).join("\n")} />
      </header>
      {problem && <ProblemNote className="m-3" problem={problem} />}
      {shown.length === 0 ? (
        <EmptyState
          className="my-auto px-4"
          title={t(entries.length === 0 ? "log.empty" : "log.nothingFound")}
          text={t(entries.length === 0 ? "log.emptyText" : "empty.lessFinds")}
          action={entries.length > 0 && <Button onClick={showAll}>{t("history.clear")}</Button>}
        />
      ) : (
        <Lines entries={shown} follow={frozen === null} />
      )}
    </section>
  );
}

/** How many lines were added since the pause. Counted by sequence numbers, because the oldest lines may be gone. */
function newerThan(frozen: readonly LogEntry[], entries: readonly LogEntry[]): number {
  return Math.max(0, (entries.at(-1)?.seq ?? 0) - (frozen.at(-1)?.seq ?? 0));
}

function lineOf(entry: LogEntry): string {
  return `${entry.at} ${entry.level.toUpperCase()} [${entry.origin}] ${entry.text}`;
}

/** Sequence numbers begin again when the core is restarted, so the time is part of the key. */
function keyOf(entry: LogEntry | undefined, index: number): string | number {
  return entry ? `${entry.at} ${entry.seq}` : index;
}

const levelTones: Record<LogLevel, string> = {
  debug: "text-hint",
  info: "text-mute",
  warn: "text-warn",
  error: "text-bad",
};

function Lines({ entries, follow }: { entries: readonly LogEntry[]; follow: boolean }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const wanted = useWantedLine(entries);
  const [atEnd, setAtEnd] = useState(!wanted.isWanted);
  // New lines scroll the view as well. Only a scroll by the person means that they want to stay where they are.
  const touched = useRef(Number.NEGATIVE_INFINITY);
  // Scrolling by keyboard is animated, and may still run when the person asks to go back to the end.
  const returning = useRef(false);
  const touch = () => {
    touched.current = performance.now();
    returning.current = false;
  };
  /** Stops following, before the next line can move the view. */
  const leave = () => {
    if (scroller.current && scroller.current.scrollTop > 0) setAtEnd(false);
  };
  const last = entries.at(-1)?.seq;
  const words = useMemo(
    () => ({
      debug: t("log.short.debug"),
      info: t("log.short.info"),
      warn: t("log.short.warn"),
      error: t("log.short.error"),
    }),
    [t],
  );
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 20,
    paddingStart: 8,
    paddingEnd: 8,
    getItemKey: useCallback((index: number) => keyOf(entries[index], index), [entries]),
  });

  const size = virtual.getTotalSize();
  // A full log has a constant size, so the last line's number is watched as well.
  useEffect(() => {
    if (follow && atEnd && last !== undefined && scroller.current) scroller.current.scrollTop = size;
  }, [last, size, follow, atEnd]);

  useEffect(() => {
    if (wanted.index === null) return;
    scroller.current?.scrollIntoView({ block: "center" });
    virtual.scrollToIndex(wanted.index, { align: "center" });
  }, [wanted.index, virtual]);

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {!atEnd && (
        <Button
          size="sm"
          className="absolute right-5 bottom-3 z-10 shadow-high"
          onClick={() => {
            touched.current = Number.NEGATIVE_INFINITY;
            returning.current = true;
            setAtEnd(true);
          }}
        >
          {t("log.follow")}
        </Button>
      )}
      <div
        ref={scroller}
        role="log"
        aria-label={t("log.title")}
        aria-live="off"
        tabIndex={0}
        onWheel={({ deltaY }) => {
          touch();
          if (deltaY < 0) leave();
        }}
        onTouchMove={touch}
        onPointerDown={touch}
        onPointerMove={({ buttons }) => buttons > 0 && touch()}
        onKeyDown={({ key }) => {
          touch();
          if (backwards.has(key)) leave();
        }}
        onScroll={({ currentTarget: box }) => {
          if (box.scrollHeight - box.scrollTop - box.clientHeight < rowHeight * 2) setAtEnd(true);
          else if (returning.current) box.scrollTop = box.scrollHeight;
          else if (performance.now() - touched.current < inputMs) setAtEnd(false);
        }}
        className="figure min-h-0 flex-1 overflow-y-auto bg-sunk focus-visible:-outline-offset-2"
      >
        <div className="relative" style={{ height: size }}>
          {virtual.getVirtualItems().map((item) => {
            const entry = entries[item.index];
            return (
              entry && (
                <Line
                  key={item.key}
                  entry={entry}
                  index={item.index}
                  top={item.start}
                  word={entry.mark ? t("log.restarted", { at: formatMoment(entry.at) }) : words[entry.level]}
                  isWanted={item.index === wanted.index}
                  measure={virtual.measureElement}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface LineProps {
  entry: LogEntry;
  index: number;
  /** In pixels from the top of the log. */
  top: number;
  /** Its level, short; of a restart the whole sentence. */
  word: string;
  /** The person was led to it. */
  isWanted: boolean;
  measure(element: Element | null): void;
}

const Line = memo(function Line({ entry, index, top, word, isWanted, measure }: LineProps) {
  if (entry.mark) {
    return (
      <div
        ref={measure}
        data-index={index}
        data-mark={entry.mark}
        className="absolute inset-x-0 flex items-center gap-3 px-4 py-1.5 text-xs text-mute"
        style={{ transform: `translateY(${top}px)` }}
      >
        <span className="h-px flex-1 bg-line-strong" />
        {word}
        <span className="h-px flex-1 bg-line-strong" />
      </div>
    );
  }
  return (
    <div
      ref={measure}
      data-index={index}
      aria-current={isWanted || undefined}
      className={cx(
        "absolute inset-x-0 flex gap-3 px-4 py-px",
        isWanted && "bg-surface shadow-[inset_3px_0_0_var(--accent)]",
      )}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span className="shrink-0 text-hint">{formatClock(entry.at)}</span>
      <span className={cx("w-[7ch] shrink-0 font-semibold", levelTones[entry.level])}>{word}</span>
      <span
        className={cx(
          "min-w-0 flex-1 break-words whitespace-pre-wrap",
          entry.origin === "patchbay" && "text-mute italic",
        )}
      >
        {entry.text}
      </span>
    </div>
  );
});
