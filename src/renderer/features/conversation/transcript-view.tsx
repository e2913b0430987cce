import { ArrowDown } from "lucide-react";
import { memo, type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Approval } from "../../../contract/agent.ts";
import type { Versions } from "../../../contract/conversation/attached.ts";
import { cx } from "../../ui/class-names.ts";
import { Button } from "../../ui/controls/button.tsx";
import { EmptyState } from "../../ui/empty/empty-state.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { FailedTurn } from "./failed-turn.tsx";
import type { Item, UserItem } from "./items.ts";
import { AgentOfText } from "./markdown/remote-picture.tsx";
import { Answer } from "./messages/answer.tsx";
import type { MessageActs } from "./messages/message-acts.ts";
import { UserMessage } from "./messages/user-message.tsx";
import { PluginSaid } from "./said/plugin-said.tsx";
import { ToolCard } from "./tool-card.tsx";
import { useScrolled } from "./use-scrolled.ts";
import { ModelWait } from "./waits/model-wait.tsx";

interface TranscriptProps {
  agentId: string;
  sessionId: string | null;
  items: readonly Item[];
  approvals: readonly Approval[];
  versions: ReadonlyMap<string, Versions>;
  /** The agent is at work in this conversation. */
  running: boolean;
  /** It works, and no question waits for the person. */
  working: boolean;
  /** Rises with each thing that the person asks for: its answer is then looked at. */
  asked: number;
  /** What stands where nothing was said; null while that is not known. */
  empty: { title: string; text: string } | null;
  onChooseModel?: (() => void) | undefined;
  /** Tries the last turn again; absent where it can only be read. */
  onRetry?: (() => void) | undefined;
  /** Sends the agent a message; absent where the conversation can only be read. */
  onAsk?: ((text: string) => void) | undefined;
  /** What can be done with messages; absent where the conversation can only be read. */
  acts?: MessageActs | undefined;
  after: ReactNode;
}

/** The list of items. It keeps scrolling to the end while the end is in view. */
export function Transcript({
  agentId,
  sessionId,
  items,
  approvals,
  versions,
  running,
  working,
  asked,
  empty,
  onChooseModel,
  onRetry,
  onAsk,
  acts,
  after,
}: TranscriptProps) {
  const { t } = useTranslation();
  const { scroller, content, shownFrom, isAway, toEnd, onScroll } = useScrolled(items, sessionId, asked);
  const turns = useMemo(() => turnsIn(items), [items]);
  const last = items.at(-1);
  const lastAsked = items.findLast(({ kind }) => kind === "user" || kind === "command");
  const place = useMemo(() => ({ agentId, sessionId }), [agentId, sessionId]);

  return (
    <AgentOfText value={agentId}>
      <div className="relative flex min-h-0 flex-1 flex-col">
        <div
          ref={scroller}
          role="log"
          aria-label={t("conversation.log")}
          tabIndex={0}
          onScroll={onScroll}
          className="min-h-0 flex-1 overflow-y-auto px-5 py-4 [overflow-anchor:none] focus-visible:-outline-offset-2"
        >
          <div ref={content} className={cx("space-y-3", items.length === 0 && "h-full")}>
            {items.length === 0 && empty && (
              <div className="grid h-full content-center">
                <EmptyState
                  {...empty}
                  action={
                    onChooseModel && (
                      <Button look="accent" onClick={onChooseModel}>
                        {t("conversation.chooseModel")}
                      </Button>
                    )
                  }
                />
              </div>
            )}
            {items.slice(shownFrom).map((item) => {
              const turnId = "turnId" in item ? item.turnId : null;
              const turn = turnId === null ? undefined : turns.get(turnId);
              const isOfLastTurn =
                item.kind === "tool" && lastAsked?.kind === "user" && lastAsked.turnId === item.turnId;
              return (
                <ItemView
                  key={item.id}
                  place={place}
                  item={item}
                  asked={turn?.ends === item ? turn.asked : undefined}
                  isUnanswered={turn?.ends === undefined}
                  versions={turnId === null ? undefined : versions.get(turnId)}
                  acts={acts}
                  isBusy={running}
                  onRetry={item === last && !working ? onRetry : undefined}
                  onAsk={isOfLastTurn && !working ? onAsk : undefined}
                  isReadOnly={onAsk === undefined}
                  approval={
                    item.kind === "tool"
                      ? approvals.find((approval) => approval.toolCallId === item.id)
                      : undefined
                  }
                />
              );
            })}
            {after}
            {working && last?.kind !== "wait" && !(last?.kind === "assistant" && last.streaming) && (
              <p className="flex items-center gap-2 text-sm text-mute">
                <Spinner />
                {t("conversation.working")}
              </p>
            )}
          </div>
        </div>
        {isAway && (
          <Button
            size="sm"
            className="absolute bottom-2 left-1/2 -translate-x-1/2 rounded-full bg-raised shadow-high"
            icon={<ArrowDown className="size-3.5" aria-hidden="true" />}
            onClick={toEnd}
          >
            {t("conversation.toEnd")}
          </Button>
        )}
      </div>
    </AgentOfText>
  );
}

interface Turn {
  /** The message of the person that it answers. */
  asked: UserItem | undefined;
  /** What the agent said last in it; undefined while it has said nothing, and where something failed after that. */
  ends: Item | undefined;
}

function turnsIn(items: readonly Item[]): ReadonlyMap<string, Turn> {
  const turns = new Map<string, Turn>();
  for (const item of items) {
    if (!("turnId" in item) || item.turnId === null) continue;
    const turn = turns.get(item.turnId) ?? { asked: undefined, ends: undefined };
    turns.set(item.turnId, turn);
    if (item.kind === "user" && item.by === undefined) turn.asked ??= item;
    if (item.kind === "assistant") turn.ends = item;
  }
  return turns;
}

interface ItemViewProps {
  place: { agentId: string; sessionId: string | null };
  item: Item;
  /** Of the last words of a turn: the message that they answer. */
  asked: UserItem | undefined;
  isUnanswered: boolean;
  versions: Versions | undefined;
  acts: MessageActs | undefined;
  isBusy: boolean;
  approval: Approval | undefined;
  onRetry: (() => void) | undefined;
  onAsk: ((text: string) => void) | undefined;
  isReadOnly: boolean;
}

const ItemView = memo(function ItemView(props: ItemViewProps) {
  const { t } = useTranslation();
  const { place, item, asked, isUnanswered, versions, acts, isBusy, approval, onRetry, onAsk, isReadOnly } =
    props;
  const { agentId } = place;
  switch (item.kind) {
    case "user":
      return <UserMessage {...{ item, place, acts, isBusy, versions, isUnanswered }} />;
    case "assistant":
      return <Answer {...{ agentId, item, asked, acts, isBusy, versions }} />;
    case "tool":
      return (
        <ToolCard agentId={agentId} item={item} approval={approval} onAsk={onAsk} isReadOnly={isReadOnly} />
      );
    case "command":
      return (
        <div className="rounded-lg border border-line px-3.5 py-2.5">
          <code className="figure font-semibold">{item.text}</code>
          {item.output && <pre className="figure mt-1.5 whitespace-pre-wrap text-mute">{item.output}</pre>}
        </div>
      );
    case "said":
      return <PluginSaid owner={item.owner} said={item.said} />;
    case "compaction":
      return (
        <details className="rounded-lg border border-dashed border-line-strong px-3.5 py-2 text-sm text-mute">
          <summary>{t("conversation.compacted")}</summary>
          <p className="mt-1.5 whitespace-pre-wrap">{item.summary}</p>
        </details>
      );
    case "end":
      return <FailedTurn agentId={agentId} item={item} onRetry={onRetry} onCompact={acts?.compactAndAsk} />;
    case "wait":
      return <ModelWait item={item} onStop={acts?.stop} />;
  }
});
