import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { mostOutsideCalls, type OutsideCall } from "../../../../contract/trace/outside-calls.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { formatMs } from "../../../base/i18n/time.ts";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { useAsked } from "../by-hand/use-asked.ts";
import { Figure } from "../timeline/figure.tsx";
import { RecordView, seenIn } from "../timeline/record-view.tsx";
import { CallRow } from "./call-row.tsx";
import { useOutsideCalls } from "./use-outside-calls.ts";

/** Calls that belong to no turn: by hand, at a terminal, by other programs. The chosen one stands on a timeline. */
export function OutsideTab({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const { calls, problem } = useOutsideCalls(agentId);
  const [chosenId, setChosenId] = useState<string | null>(null);
  if (problem)
    return (
      <div className="px-6 py-2">
        <ProblemNote problem={problem} />
      </div>
    );
  if (!calls) return <Spinner className="m-6 text-mute" />;
  const call = calls.find(({ id }) => id === chosenId) ?? calls[0];
  if (!call)
    return <EmptyState className="mt-10 px-6" title={t("outside.empty")} text={t("outside.emptyText")} />;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <section aria-label={t("outside.title")} className="shrink-0 px-6 pb-4">
        <p className="pb-2 text-xs text-mute">{t("outside.text", { most: mostOutsideCalls })}</p>
        <ol className="max-h-52 divide-y divide-line overflow-y-auto rounded-lg border border-line bg-surface">
          {calls.map((one) => (
            <li key={one.id}>
              <CallRow call={one} isChosen={one.id === call.id} onChoose={() => setChosenId(one.id)} />
            </li>
          ))}
        </ol>
      </section>
      <Opened key={call.id} agentId={agentId} call={call} />
    </div>
  );
}

function Opened({ agentId, call }: { agentId: string; call: OutsideCall }) {
  const { t } = useTranslation();
  const { id, events: count, outcome, ms } = call;
  const { answer, problem } = useAsked(`${id} ${count}`, (signal) =>
    rpc.traces.outsideCall({ agentId, id }, { signal }),
  );
  const seen = useMemo(() => seenIn(answer ?? []), [answer]);
  const [spanId, setSpanId] = useState<string | null>(null);
  if (problem)
    return (
      <div className="px-6">
        <ProblemNote problem={problem} />
      </div>
    );
  if (!answer) return <Spinner className="m-6 text-mute" />;
  return (
    <RecordView
      place={{ agentId, turn: null }}
      seen={seen}
      events={answer}
      isRunning={outcome === null}
      chosenId={spanId}
      onChoose={setSpanId}
      head={({ toolMs, waitedMs }) => (
        <dl className="flex shrink-0 flex-wrap gap-x-4 gap-y-2 pb-3">
          <Figure name={t("outside.figure.call")} value={ms === null ? "–" : formatMs(ms)} />
          <Figure name={t("outside.figure.tool")} value={toolMs > 0 ? formatMs(toolMs) : "–"} />
          <Figure name={t("timeline.figure.waiting")} value={waitedMs > 0 ? formatMs(waitedMs) : "–"} />
        </dl>
      )}
    />
  );
}
