import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ReplayWish, TurnSide } from "../../../../contract/trace/replay.ts";
import { download } from "../../../base/client/download.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { useChosenSession } from "../../../store/chosen-session.ts";
import { chooseTurn, useChosenTurn } from "../../../store/chosen-turn.ts";
import { useMirror } from "../../../store/mirror.ts";
import { useAction } from "../../../ui/action.ts";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { Comparison } from "./comparison.tsx";
import { useReplays } from "./use-replays.ts";
import { useParts, useTurns } from "./use-turns.ts";
import { WishForm } from "./wish-form.tsx";

/** Runs a turn of the open conversation again, and puts two turns beside each other. */
export function ReplayTab({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const sessionId = useChosenSession(agentId);
  const turns = useTurns(agentId, sessionId);
  const { turnId } = useChosenTurn(agentId);
  if (sessionId !== null && turns === null) return <Spinner className="m-6 text-mute" />;
  const turn = turns?.find((one) => one.turnId === turnId) ?? turns?.[0];
  if (sessionId === null || !turns || !turn)
    return <EmptyState className="mt-10 px-6" title={t("replay.empty")} text={t("replay.emptyText")} />;
  return (
    <Replaying key={sessionId} agentId={agentId} sessionId={sessionId} turns={turns} turnId={turn.turnId} />
  );
}

interface ReplayingProps {
  agentId: string;
  sessionId: string;
  turns: NonNullable<ReturnType<typeof useTurns>>;
  turnId: string;
}

function Replaying({ agentId, sessionId, turns, turnId }: ReplayingProps) {
  const { t } = useTranslation();
  const plugins = useMirror((state) => state.plugins);
  const nameOf = useCallback((key: string) => plugins.get(key)?.displayName ?? key, [plugins]);
  const versionsOf = useCallback(
    (key: string) => [
      ...new Set(plugins.get(key)?.previous.map(({ packageVersion }) => packageVersion) ?? []),
    ],
    [plugins],
  );
  const parts = useParts(agentId, sessionId, turnId);
  const { replays, problem, refresh } = useReplays(agentId);
  const [left, setLeft] = useState<TurnSide | null>(null);
  const [right, setRight] = useState<TurnSide | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const run = useAction(async (wish: ReplayWish) => {
    const stop = new AbortController();
    running.current = stop;
    const replay = await rpc.replays.run({ agentId, sessionId, turnId, ...wish }, { signal: stop.signal });
    await refresh();
    setLeft({ sessionId, turnId });
    setRight({ replayId: replay.id });
  });
  const keep = useAction(async () => {
    const { name, text } = await rpc.replays.keep({ agentId, sessionId, turnId });
    download(new Blob([text], { type: "application/json" }), `${fileName(name)}.patchbay-test.json`);
  });
  const discard = useAction(async (replayId: string) => {
    await rpc.replays.discard({ agentId, replayId });
    setRight(null);
    await refresh();
  });
  const trouble = run.problem ?? keep.problem ?? discard.problem ?? problem;
  return (
    <section
      aria-label={t("debug.tab.replay")}
      className="flex min-h-0 min-w-0 flex-1 flex-col overflow-y-auto px-6 pt-1 pb-5"
    >
      <WishForm
        key={turnId}
        turns={turns}
        turnId={turnId}
        parts={parts}
        busy={run.busy}
        nameOf={nameOf}
        versionsOf={versionsOf}
        onTurn={(next) => chooseTurn(agentId, { turnId: next })}
        onRun={run.act}
        onStop={() => running.current?.abort()}
        onKeep={() => void keep.act()}
      />
      {trouble && trouble.code !== "ABORTED" && <ProblemNote className="mt-3" problem={trouble} />}
      <Comparison
        agentId={agentId}
        sessionId={sessionId}
        left={left ?? { sessionId, turnId }}
        right={right}
        replays={replays ?? []}
        nameOf={nameOf}
        onLeft={setLeft}
        onRight={setRight}
        onDiscard={(id) => void discard.act(id)}
      />
    </section>
  );
}

/** The name of a file for a turn: its first words, as every file system takes them. */
function fileName(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/[^\p{Letter}\p{Number}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .toLowerCase();
  return plain.slice(0, 40) || "turn";
}
