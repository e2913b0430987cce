import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Approval } from "../../../contract/agent.ts";
import type { Aside } from "../../../contract/turn.ts";
import { useDisplayName } from "../../model/rows.ts";
import { cx } from "../../ui/class-names.ts";
import { Button } from "../../ui/controls/button.tsx";
import { EmptyState } from "../../ui/empty/empty-state.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { FailedTurn } from "./failed-turn.tsx";
import { FoldedText } from "./folded-text.tsx";
import { useTranscriptKeys } from "./keys/view-keys.ts";
import { RichText } from "./rich-text.tsx";
import { PluginSaid } from "./said/plugin-said.tsx";
import { ToolCard } from "./tool-card.tsx";
import type { Item } from "./transcript.ts";
import { ModelWait } from "./waits/model-wait.tsx";

interface TranscriptProps {
  agentId: string;
  items: readonly Item[];
  approvals: readonly Approval[];
  /** The agent works, and no question waits for the person. */
  working: boolean;
  /** What stands where nothing was said; null while that is not known. */
  empty: { title: string; text: string } | null;
  onChooseModel?: (() => void) | undefined;
  /** Tries the last turn again; absent where it can only be read. */
  onRetry?: (() => void) | undefined;
  /** Makes the conversation shorter, and asks what was asked last once more. */
  onCompact?: (() => void) | undefined;
  onStop?: (() => void) | undefined;
  /** Sends the agent a message; absent where the conversation can only be read. */
  onAsk?: ((text: string) => void) | undefined;
  after: ReactNode;
}

/** The list of items. It keeps scrolling to the end while the end is in view. */
export function Transcript({
  agentId,
  items,
  approvals,
  working,
  empty,
  onChooseModel,
  onRetry,
  onCompact,
  onStop,
  onAsk,
  after,
}: TranscriptProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useTranscriptKeys(scroller);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (box && atEnd.current) box.scrollTop = box.scrollHeight;
  });
  // The content can also grow without a new item: a card opens by itself, or the composer grows.
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = scroller.current;
    if (!box || !content.current) return;
    const observer = new ResizeObserver(() => {
      if (atEnd.current) box.scrollTop = box.scrollHeight;
    });
    observer.observe(box);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, []);

  return (
    <div
      ref={scroller}
      role="log"
      aria-label={t("conversation.log")}
      tabIndex={0}
      onScroll={({ currentTarget: box }) => {
        atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 48;
      }}
      className="min-h-0 flex-1 overflow-y-auto px-5 py-4 focus-visible:-outline-offset-2"
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
        {items.map((item) => (
          <ItemView
            key={item.id}
            agentId={agentId}
            item={item}
            onRetry={item === items.at(-1) && !working ? onRetry : undefined}
            onCompact={onCompact}
            onStop={onStop}
            onAsk={!working && isOfLastTurn(item, items) ? onAsk : undefined}
            isReadOnly={onAsk === undefined}
            approval={
              item.kind === "tool" ? approvals.find((approval) => approval.toolCallId === item.id) : undefined
            }
          />
        ))}
        {after}
        {working && !isStreaming(items) && (
          <p className="flex items-center gap-2 text-sm text-mute">
            <Spinner />
            {t("conversation.working")}
          </p>
        )}
      </div>
    </div>
  );
}

function isOfLastTurn(item: Item, items: readonly Item[]): boolean {
  const asked = items.findLast(({ kind }) => kind === "user" || kind === "command");
  return item.kind === "tool" && asked?.kind === "user" && asked.turnId === item.turnId;
}

function isStreaming(items: readonly Item[]): boolean {
  const last = items.at(-1);
  return last?.kind === "wait" || (last?.kind === "assistant" && last.streaming);
}

interface ItemViewProps {
  agentId: string;
  item: Item;
  approval: Approval | undefined;
  onRetry: (() => void) | undefined;
  onCompact: (() => void) | undefined;
  onStop: (() => void) | undefined;
  onAsk: ((text: string) => void) | undefined;
  isReadOnly: boolean;
}

function ItemView({ agentId, item, approval, onAsk, isReadOnly, ...acts }: ItemViewProps) {
  const { t } = useTranslation();
  switch (item.kind) {
    case "user":
      return (
        <div className="ml-8 flex flex-col items-end">
          <div
            className={cx(
              "max-w-full rounded-lg rounded-br-sm px-3.5 py-2.5 break-words whitespace-pre-wrap",
              item.heard || item.aside?.kind === "dropped" || item.by !== undefined
                ? "border border-dashed border-line-strong text-mute"
                : "bg-ink/8",
            )}
          >
            <Writer item={item} />
            <FoldedText text={item.text} />
          </div>
          {item.aside && <AsideNote aside={item.aside} />}
        </div>
      );
    case "assistant":
      return (
        <div className="mr-8 flex">
          <div className="min-w-0 rounded-lg rounded-bl-sm bg-sunk px-3.5 py-2.5 break-words">
            <RichText text={item.text} streaming={item.streaming} />
            {item.cut && <p className="mt-1.5 text-xs text-mute">{t("conversation.cutOff")}</p>}
          </div>
        </div>
      );
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
      return <FailedTurn agentId={agentId} item={item} onRetry={acts.onRetry} onCompact={acts.onCompact} />;
    case "wait":
      return <ModelWait item={item} onStop={acts.onStop} />;
  }
}

/** Who wrote a message; only read out where it was the person at this screen. */
function Writer({ item }: { item: Extract<Item, { kind: "user" }> }) {
  const { t } = useTranslation();
  const plugin = useDisplayName(item.by ?? null) ?? item.by;
  const name = plugin === undefined ? item.from : t("said.toAgent", { plugin });
  if (name === undefined) return <span className="sr-only">{t("conversation.you")} </span>;
  return <span className="mb-0.5 block text-xs text-mute">{name}</span>;
}

/** Says under a message why the agent does not answer it. */
function AsideNote({ aside }: { aside: Aside }) {
  const { t } = useTranslation();
  const plugin = useDisplayName(aside.by) ?? aside.by;
  const reason = aside.kind === "dropped" ? aside.reason : "";
  const key = aside.kind === "command" ? "madeCommand" : reason ? "dropped" : "droppedMute";
  return (
    <p className="mt-1 max-w-full text-right text-xs break-words text-mute">
      {t(`conversation.${key}`, { plugin, reason })}
    </p>
  );
}
