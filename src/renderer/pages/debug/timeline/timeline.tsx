import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordedTurn } from "../../../../contract/procedures/debug/traces.ts";
import type { RecordEvent } from "../../../../contract/record.ts";
import { traceOf } from "../../../../contract/trace/spans.ts";
import { useChosenSession } from "../../../store/chosen-session.ts";
import { chooseTurn, useChosenTurn } from "../../../store/chosen-turn.ts";
import { useMirror } from "../../../store/mirror.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { Chart } from "./chart/chart.tsx";
import { DetailCard } from "./detail/detail-card.tsx";
import { Filters } from "./filters.tsx";
import { culpritOf } from "./rows/culprit.ts";
import { figuresOf } from "./rows/figures.ts";
import { countsOf, filtered, showAll } from "./rows/filter.ts";
import { rowWords } from "./rows/row-words.ts";
import { rowsOf, type TimelineRow } from "./rows/rows.ts";
import { TurnHead } from "./turn-head.tsx";
import { usePresent } from "./use-present.ts";
import { useRecord } from "./use-record.ts";

/** What happened in a turn of the open conversation, on a time axis; the newest turn is followed while it runs. */
export function Timeline({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const sessionId = useChosenSession(agentId);
  const { turnId } = useChosenTurn(agentId);
  const { turns, turn, events, problem } = useRecord(agentId, sessionId, turnId);
  const newest = turns?.at(-1)?.turnId ?? null;
  const before = useRef(newest);
  // Who looked into the newest turn wants to see the next one when it begins.
  useEffect(() => {
    if (before.current !== newest && before.current !== null && turnId === before.current)
      chooseTurn(agentId, {});
    if (newest !== null) before.current = newest;
  }, [newest, turnId, agentId]);
  if (problem)
    return (
      <div className="px-6 py-2">
        <ProblemNote problem={problem} />
      </div>
    );
  if (sessionId !== null && (turns === null || (turn !== null && events === null)))
    return <Spinner className="m-6 text-mute" />;
  if (sessionId === null || !turns || !turn || !events)
    return <EmptyState className="mt-10 px-6" title={t("timeline.empty")} text={t("timeline.emptyText")} />;
  return (
    <Turn
      key={turn.turnId}
      place={{ agentId, sessionId, turnId: turn.turnId }}
      turns={turns}
      turn={turn}
      events={events}
    />
  );
}

interface TurnProps {
  place: { agentId: string; sessionId: string; turnId: string };
  turns: readonly RecordedTurn[];
  turn: RecordedTurn;
  events: readonly RecordEvent[];
}

function Turn({ place, turns, turn, events }: TurnProps) {
  const { t } = useTranslation();
  const { agentId, turnId } = place;
  const chosen = useChosenTurn(agentId);
  const plugins = useMirror((state) => state.plugins);
  const nameOf = useCallback((key: string) => plugins.get(key)?.displayName ?? key, [plugins]);
  const [filter, setFilter] = useState(showAll);
  const wanted = useDeferredValue(filter);
  const trace = useMemo(() => traceOf(events), [events]);
  const all = useMemo(() => rowsOf(trace, events), [trace, events]);
  const rows = useMemo(
    () =>
      filtered(all, wanted, (row) => {
        const { what, who } = rowWords(row, events, { t, nameOf });
        return `${what} ${who ?? ""}`.toLowerCase();
      }),
    [all, wanted, events, t, nameOf],
  );
  const now = usePresent(events, turn.outcome === null);
  const culprit = useMemo(() => culpritOf(all, events, chosen), [all, events, chosen]);
  useEffect(() => {
    if (culprit) chooseTurn(agentId, { turnId, spanId: culprit.id });
  }, [culprit, agentId, turnId]);
  const choose = useCallback(
    (row: TimelineRow) => chooseTurn(agentId, { turnId, spanId: row.id }),
    [agentId, turnId],
  );
  const owners = useMemo(
    () => [...new Set(all.flatMap(({ owner }) => (owner === null ? [] : [owner])))].sort(),
    [all],
  );
  const row = all.find(({ id }) => id === chosen.spanId);
  const origin = trace.spans[0]?.begin ?? now;
  return (
    <section
      aria-label={t("debug.tab.timeline")}
      className="flex min-h-0 min-w-0 flex-1 flex-col px-6 pt-1 pb-5"
    >
      <TurnHead
        turns={turns}
        turnId={turnId}
        place={{ agentId, sessionId: place.sessionId }}
        figures={figuresOf(trace, events, now)}
        onTurn={(next) => chooseTurn(agentId, { turnId: next })}
      />
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
          onClose={() => chooseTurn(agentId, { turnId: chosen.turnId })}
        />
      )}
    </section>
  );
}
