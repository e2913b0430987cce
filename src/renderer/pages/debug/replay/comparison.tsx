import { Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ComparedRow, ComparedTurns } from "../../../../contract/trace/compared.ts";
import type { Replay, TurnSide } from "../../../../contract/trace/replay.ts";
import { IconButton } from "../../../ui/controls/button.tsx";
import { Chip } from "../../../ui/controls/chip.tsx";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { ComparedTree } from "./compared-tree.tsx";
import { DifferenceCard } from "./difference-card.tsx";
import { SidePicker } from "./side-picker.tsx";
import { nameOfSide, useCompared } from "./use-compared.ts";
import { useConversations } from "./use-turns.ts";

interface ComparisonProps {
  agentId: string;
  /** The open conversation. */
  sessionId: string;
  left: TurnSide | null;
  right: TurnSide | null;
  replays: readonly Replay[];
  nameOf(key: string): string;
  onLeft(side: TurnSide): void;
  onRight(side: TurnSide): void;
  onDiscard(replayId: string): void;
}

/** Two turns side by side, what differs marked. */
export function Comparison(props: ComparisonProps) {
  const { agentId, sessionId, left, right, replays, nameOf, onLeft, onRight, onDiscard } = props;
  const { t } = useTranslation();
  const sessions = useConversations(agentId);
  const [open, setOpen] = useState({ left: sessionId, right: sessionId });
  const { compared, problem } = useCompared(agentId, left, right);
  const isReplay = right !== null && "replayId" in right;
  return (
    <section aria-label={t("replay.compare")} className="mt-4 flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex shrink-0 items-end gap-2.5">
        <SidePicker
          agentId={agentId}
          label={t("replay.left")}
          sessionId={open.left}
          side={left}
          replays={replays}
          sessions={sessions}
          onSession={(next) => setOpen({ ...open, left: next })}
          onSide={onLeft}
        />
        <SidePicker
          agentId={agentId}
          label={t("replay.right")}
          sessionId={open.right}
          side={right}
          replays={replays}
          sessions={sessions}
          onSession={(next) => setOpen({ ...open, right: next })}
          onSide={onRight}
        />
        <IconButton
          label={t("replay.discard")}
          className="size-8"
          disabled={!isReplay}
          onClick={() => isReplay && onDiscard(right.replayId)}
        >
          <Trash2 className="size-4" aria-hidden="true" />
        </IconButton>
      </div>
      {problem && <ProblemNote className="mt-3" problem={problem} />}
      {left && right && !compared && !problem && <Spinner className="mt-4 text-mute" />}
      {(!left || !right) && (
        <EmptyState className="mt-6" title={t("replay.nothing")} text={t("replay.nothingText")} />
      )}
      {compared && left && right && (
        <Compared key={`${nameOfSide(left)} ${nameOfSide(right)}`} compared={compared} nameOf={nameOf} />
      )}
    </section>
  );
}

function Compared({ compared, nameOf }: { compared: ComparedTurns; nameOf(key: string): string }) {
  const { t } = useTranslation();
  const { rows: all, own, following } = compared;
  const differs = own + following > 0;
  const [only, setOnly] = useState(false);
  const rows = useMemo(() => (only ? all.filter(isMarked) : all), [all, only]);
  const [chosen, setChosen] = useState<ComparedRow | null>(null);
  const index = chosen === null ? -1 : rows.indexOf(chosen);
  const row = index < 0 ? null : chosen;
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5 py-2.5">
        <p role="status" className="min-w-0 flex-1 text-sm">
          {differs ? (
            <>
              <strong className="font-semibold">{t("replay.own", { count: own })}</strong>
              {following > 0 && (
                <span className="text-mute"> {t("replay.following", { count: following })}</span>
              )}
            </>
          ) : (
            <strong className="font-semibold text-ok">{t("replay.same")}</strong>
          )}
        </p>
        <Chip on={only} onPress={() => setOnly(!only)}>
          {t("replay.only")}
        </Chip>
      </div>
      {rows.length > 0 && (
        <ComparedTree
          rows={rows}
          chosen={index}
          onChoose={(next) => setChosen(rows[next] ?? null)}
          nameOf={nameOf}
        />
      )}
      {row && <DifferenceCard row={row} nameOf={nameOf} onClose={() => setChosen(null)} />}
    </>
  );
}

function isMarked({ differences }: ComparedRow): boolean {
  return differences.length > 0;
}
