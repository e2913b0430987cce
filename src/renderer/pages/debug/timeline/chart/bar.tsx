import { Ban, CircleX, PencilLine, Unplug } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SpanState } from "../../../../../contract/trace/spans.ts";
import { cx } from "../../../../ui/class-names.ts";
import { Spinner } from "../../../../ui/spinner.tsx";
import type { TimelineRow } from "../rows/rows.ts";

interface BarProps {
  row: TimelineRow;
  colour: string;
  /** Of what is in sight: where it begins and ends, as shares of its width; may lie outside of 0 to 1. */
  from: number;
  to: number;
  /** Of a model call: until here it was silent, as a share like the others. */
  firstToken: number | null;
}

/** A row on the axis: a bar for a stretch, a diamond for a moment. */
export function Bar({ row, colour, from, to, firstToken }: BarProps) {
  if (to < 0 || from > 1) return null;
  if (row.of.kind === "point")
    return (
      <span
        aria-hidden="true"
        className="absolute top-1/2 size-[7px] -translate-1/2 rotate-45 rounded-[1px]"
        style={{
          left: `clamp(5px, ${from * 100}%, calc(100% - 5px))`,
          background: row.state === "failed" ? "var(--bad)" : colour,
        }}
      />
    );
  const [left, right] = [Math.max(0, from), Math.min(1, to)];
  const box = { left: `${left * 100}%`, width: `max(3px, ${(right - left) * 100}%)` };
  if (row.of.span.kind === "tool")
    return (
      <span
        aria-hidden="true"
        className="absolute top-1/2 h-1 -translate-y-1/2 rounded-full opacity-40"
        style={{ ...box, background: colour }}
      />
    );
  const silent =
    firstToken === null ? 0 : (Math.min(firstToken, right) - left) / Math.max(1e-9, right - left);
  return (
    <span
      aria-hidden="true"
      data-state={row.state}
      className={cx(
        "absolute top-1/2 h-3.5 -translate-y-1/2 overflow-hidden rounded-[4px]",
        looks[row.state],
      )}
      style={{ ...box, background: colour }}
    >
      {silent > 0 && (
        <span className="absolute inset-y-0 left-0 bg-bg/45" style={{ width: `${silent * 100}%` }} />
      )}
      {row.state !== "done" && row.state !== "changed" && row.state !== "running" && (
        <span className="absolute inset-0 bg-[repeating-linear-gradient(135deg,transparent_0_3px,var(--bg)_3px_5px)] opacity-60" />
      )}
    </span>
  );
}

const looks: Record<SpanState, string> = {
  running: "animate-pulse motion-reduce:animate-none",
  done: "",
  changed: "",
  refused: "outline-1 outline-offset-1 outline-bad",
  failed: "outline-1 outline-offset-1 outline-bad",
  cut: "outline-1 outline-offset-1 outline-dashed outline-warn",
};

const marks = {
  changed: { Icon: PencilLine, tone: "text-ink" },
  refused: { Icon: Ban, tone: "text-bad" },
  failed: { Icon: CircleX, tone: "text-bad" },
  cut: { Icon: Unplug, tone: "text-warn" },
} as const;

/** How a row ended, as a shape with its word. Nothing for what simply went well. */
export function StateMark({ state }: { state: SpanState }) {
  const { t } = useTranslation();
  if (state === "done") return null;
  const word = t(`timeline.state.${state}`);
  if (state === "running")
    return (
      <span data-part="state" title={word} className="text-accent">
        <Spinner className="size-3.5" />
        <span className="sr-only">{word}</span>
      </span>
    );
  const { Icon, tone } = marks[state];
  return (
    <span data-part="state" title={word} className={tone}>
      <Icon className="size-3.5" aria-hidden="true" />
      <span className="sr-only">{word}</span>
    </span>
  );
}
