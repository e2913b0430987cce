import { EqualNot, Minus, Plus } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { ComparedRow } from "../../../../contract/trace/compared.ts";
import type { TraceSpan } from "../../../../contract/trace/spans.ts";
import { cx } from "../../../ui/class-names.ts";
import { StateMark } from "../timeline/chart/bar.tsx";
import { differenceWords } from "./words.ts";

/** Pixels. */
export const rowHeight = 34;

interface ComparedLineProps {
  row: ComparedRow;
  words: { left: string | null; right: string | null };
  index: number;
  count: number;
  top: number;
  isChosen: boolean;
  /** It is where Tab comes to. */
  isStop: boolean;
  onChoose(index: number): void;
}

/** A stretch of the left turn beside that of the right one, with a mark between them where they differ. */
export const ComparedLine = memo(function ComparedLine(props: ComparedLineProps) {
  const { row, words, index, count, top, isChosen, isStop, onChoose } = props;
  const { t } = useTranslation();
  const look = lookOf(row);
  const told = differenceWords(row, t);
  return (
    // The keys are those of the tree around it.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      role="treeitem"
      data-row={index}
      data-differs={look}
      data-own={isOwn(row)}
      aria-level={row.depth + 1}
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-selected={isChosen}
      tabIndex={isStop ? 0 : -1}
      onClick={() => onChoose(index)}
      className={cx(
        "absolute inset-x-0 grid cursor-default grid-cols-[minmax(0,1fr)_2.5rem_minmax(0,1fr)] items-stretch border-b border-line focus-visible:-outline-offset-2",
        isChosen ? "bg-surface" : "hover:bg-surface/60",
      )}
      style={{ height: rowHeight, transform: `translateY(${top}px)` }}
    >
      <Cell
        span={row.left}
        words={words.left}
        depth={row.depth}
        wash={look === "missing" ? "bg-bad-wash" : ""}
      />
      <span className="flex items-center justify-center">
        <Mark row={row} />
        {told.length > 0 && <span className="sr-only">{told.join(" ")}</span>}
      </span>
      <Cell
        span={row.right}
        words={words.right}
        depth={row.depth}
        wash={look === "added" ? "bg-ok-wash" : ""}
      />
    </div>
  );
});

export type RowLook = "same" | "changed" | "missing" | "added";

/** How a row is marked. What lies in a stretch that one turn alone has is marked like it. */
export function lookOf({ left, right, differences }: ComparedRow): RowLook {
  if (right === null) return "missing";
  if (left === null) return "added";
  return differences.length === 0 ? "same" : "changed";
}

/** Whether a row differs in something that no other difference explains. */
export function isOwn({ differences }: ComparedRow): boolean {
  return differences.some(({ follows }) => !follows);
}

const marks = {
  changed: { Icon: EqualNot, fill: "bg-accent text-on-accent" },
  missing: { Icon: Minus, fill: "bg-bad text-bg" },
  added: { Icon: Plus, fill: "bg-ok text-bg" },
} as const;

/** The mark between both sides; a full one where the difference is explained by nothing else. */
export function Mark({ row }: { row: ComparedRow }) {
  const look = lookOf(row);
  if (look === "same") return null;
  const { Icon, fill } = marks[look];
  return (
    <span
      aria-hidden="true"
      className={cx(
        "inline-flex size-5 shrink-0 items-center justify-center rounded-full",
        isOwn(row) ? fill : "text-mute",
      )}
    >
      <Icon className="size-3.5" strokeWidth={isOwn(row) ? 3 : 2} />
    </span>
  );
}

interface CellProps {
  span: TraceSpan | null;
  words: string | null;
  depth: number;
  wash: string;
}

function Cell({ span, words, depth, wash }: CellProps) {
  return (
    <span
      className={cx("flex min-w-0 items-center gap-2 pr-2", wash)}
      style={{ paddingLeft: 8 + Math.min(depth, 6) * 14 }}
    >
      {span === null ? (
        <span aria-hidden="true" className="h-px flex-1 border-t border-dashed border-line-strong" />
      ) : (
        <>
          <span data-part="name" className="min-w-0 flex-1 truncate text-sm">
            {words}
          </span>
          <StateMark state={span.state} />
        </>
      )}
    </span>
  );
}
