import { formatMs } from "../../../../base/i18n/time.ts";
import { type Range, ticksOf } from "../rows/range.ts";
import { columns } from "./sizes.ts";

/** The times above the rows, from the beginning of the turn. */
export function Axis({ range }: { range: Range }) {
  const share = (tick: number) => (tick - range.from) / (range.to - range.from);
  return (
    <div
      aria-hidden="true"
      className="relative h-5 shrink-0 overflow-hidden text-xs text-hint"
      style={{ marginLeft: columns.name, marginRight: columns.time }}
    >
      {ticksOf(range, 5).map((tick) => (
        <span
          key={tick}
          className="figure absolute top-0.5 border-l border-line-strong pl-1 whitespace-nowrap"
          style={{ left: `${share(tick) * 100}%` }}
        >
          {share(tick) < 0.9 && (tick === 0 ? "0" : formatMs(tick))}
        </span>
      ))}
    </div>
  );
}
