import { useCallback, useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { RecordedTurn } from "../../../../contract/procedures/debug/traces.ts";
import type { RecordEvent } from "../../../../contract/record.ts";
import { useChosenSession } from "../../../store/chosen-session.ts";
import { chooseTurn, useChosenTurn } from "../../../store/chosen-turn.ts";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { RecordView, seenIn } from "./record-view.tsx";
import { culpritOf } from "./rows/culprit.ts";
import { TurnHead } from "./turn-head.tsx";
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
  const { agentId, sessionId, turnId } = place;
  const chosen = useChosenTurn(agentId);
  const seen = useMemo(() => seenIn(events), [events]);
  const { all } = seen;
  const culprit = useMemo(() => culpritOf(all, events, chosen), [all, events, chosen]);
  useEffect(() => {
    if (culprit) chooseTurn(agentId, { turnId, spanId: culprit.id });
  }, [culprit, agentId, turnId]);
  const choose = useCallback(
    (spanId: string | null) =>
      chooseTurn(agentId, spanId === null ? { turnId: chosen.turnId } : { turnId, spanId }),
    [agentId, turnId, chosen.turnId],
  );
  return (
    <RecordView
      place={{ agentId, turn: { sessionId, turnId } }}
      seen={seen}
      events={events}
      isRunning={turn.outcome === null}
      chosenId={chosen.spanId}
      onChoose={choose}
      head={(figures) => (
        <TurnHead
          turns={turns}
          turnId={turnId}
          place={{ agentId, sessionId }}
          figures={figures}
          onTurn={(next) => chooseTurn(agentId, { turnId: next })}
        />
      )}
    />
  );
}
