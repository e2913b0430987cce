import { memo } from "react";
import { formatMs } from "../../../../base/i18n/time.ts";
import { cx } from "../../../../ui/class-names.ts";
import type { Range } from "../rows/range.ts";
import type { RowWords } from "../rows/row-words.ts";
import type { TimelineRow } from "../rows/rows.ts";
import { Bar, StateMark } from "./bar.tsx";
import { columns, rowHeight } from "./sizes.ts";

interface RowLineProps {
  row: TimelineRow;
  words: RowWords;
  index: number;
  /** How many rows there are. */
  count: number;
  /** In pixels from the top of the list. */
  top: number;
  colour: string;
  /** Milliseconds since 1970 at which the turn began, and until which a running row is drawn. */
  origin: number;
  now: number;
  range: Range;
  isChosen: boolean;
  /** It is where Tab comes to. */
  isStop: boolean;
  onChoose(row: TimelineRow): void;
}

export const RowLine = memo(function RowLine(props: RowLineProps) {
  const { row, words, index, count, top, colour, origin, now, range, isChosen, isStop, onChoose } = props;
  const length = range.to - range.from;
  const share = (at: number) => (at - origin - range.from) / length;
  const end = row.end ?? now;
  return (
    // The keys are those of the tree around it.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      role="treeitem"
      data-row={row.id}
      data-state={row.state}
      aria-level={row.depth + 1}
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-selected={isChosen}
      tabIndex={isStop ? 0 : -1}
      onClick={() => onChoose(row)}
      className={cx(
        "absolute inset-x-0 flex cursor-default items-center border-b border-line focus-visible:-outline-offset-2",
        isChosen ? "bg-surface" : "hover:bg-surface/60",
      )}
      style={{ height: rowHeight, transform: `translateY(${top}px)` }}
    >
      <span
        data-part="name"
        className="flex min-w-0 shrink-0 items-baseline truncate pr-3 text-sm"
        style={{ width: columns.name, paddingLeft: 8 + Math.min(row.depth, 6) * 14 }}
      >
        <span
          className={cx("truncate", row.group === "log" && "figure text-mute", isChosen && "font-semibold")}
        >
          {words.what}
          {words.who !== null && ` · ${words.who}`}
        </span>
      </span>
      <span className="relative h-full min-w-0 flex-1 overflow-hidden">
        <Bar
          row={row}
          colour={colour}
          from={share(row.begin)}
          to={share(end)}
          firstToken={row.firstToken === null ? null : share(row.firstToken)}
        />
      </span>
      <span
        className="flex shrink-0 items-center justify-end gap-2 pr-2 pl-2"
        style={{ width: columns.time }}
      >
        <StateMark state={row.state} />
        <span className="figure text-mute">{row.of.kind === "span" ? formatMs(end - row.begin) : ""}</span>
      </span>
    </div>
  );
});
