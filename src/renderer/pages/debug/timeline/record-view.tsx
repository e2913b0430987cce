import { type ReactNode, useCallback, useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordEvent } from "../../../../contract/record.ts";
import { type TurnTrace, traceOf } from "../../../../contract/trace/spans.ts";
import { useMirror } from "../../../store/mirror.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { Chart } from "./chart/chart.tsx";
import { DetailCard } from "./detail/detail-card.tsx";
import type { RecordPlace } from "./detail/record-place.ts";
import { Filters } from "./filters.tsx";
import { type Figures, figuresOf } from "./rows/figures.ts";
import { countsOf, filtered, showAll } from "./rows/filter.ts";
import { rowWords } from "./rows/row-words.ts";
import { rowsOf, type TimelineRow } from "./rows/rows.ts";
import { usePresent } from "./use-present.ts";

/** What is drawn of a record. */
export interface Seen {
  trace: TurnTrace;
  all: TimelineRow[];
}

export function seenIn(events: readonly RecordEvent[]): Seen {
  const trace = traceOf(events);
  return { trace, all: rowsOf(trace, events) };
}

interface RecordViewProps {
  place: RecordPlace;
  seen: Seen;
  events: readonly RecordEvent[];
  isRunning: boolean;
  /** The row whose story is told; null: none. */
  chosenId: string | null;
  onChoose(id: string | null): void;
  head(figures: Figures): ReactNode;
}

/** The record of a turn, or of a call outside of turns, on a time axis, with the story of the chosen row. */
export function RecordView({ place, seen, events, isRunning, chosenId, onChoose, head }: RecordViewProps) {
  const { t } = useTranslation();
  const plugins = useMirror((state) => state.plugins);
  const nameOf = useCallback((key: string) => plugins.get(key)?.displayName ?? key, [plugins]);
  const [filter, setFilter] = useState(showAll);
  const wanted = useDeferredValue(filter);
  const { trace, all } = seen;
  const rows = useMemo(
    () =>
      filtered(all, wanted, (row) => {
        const { what, who } = rowWords(row, events, { t, nameOf });
        return `${what} ${who ?? ""}`.toLowerCase();
      }),
    [all, wanted, events, t, nameOf],
  );
  const now = usePresent(events, isRunning);
  const choose = useCallback((row: TimelineRow) => onChoose(row.id), [onChoose]);
  const owners = useMemo(
    () => [...new Set(all.flatMap(({ owner }) => (owner === null ? [] : [owner])))].sort(),
    [all],
  );
  const row = all.find(({ id }) => id === chosenId);
  const origin = trace.spans[0]?.begin ?? now;
  return (
    <section
      aria-label={t("debug.tab.timeline")}
      className="flex min-h-0 min-w-0 flex-1 flex-col px-6 pt-1 pb-5"
    >
      {head(figuresOf(trace, events, now))}
      <Filters filter={filter} onFilter={setFilter} counts={countsOf(all)} owners={owners} nameOf={nameOf} />
      {rows.length === 0 ? (
        <EmptyState
          title={t("timeline.noneFits")}
          action={<Button onClick={() => setFilter(showAll)}>{t("timeline.showAll")}</Button>}
        />
      ) : (
        <Chart
          rows={rows}
          events={events}
          origin={origin}
          now={now}
          chosenId={row?.id ?? null}
          onChoose={choose}
          nameOf={nameOf}
        />
      )}
      {row && (
        <DetailCard
          place={place}
          row={row}
          rows={all}
          events={events}
          nameOf={nameOf}
          onClose={() => onChoose(null)}
        />
      )}
    </section>
  );
}
