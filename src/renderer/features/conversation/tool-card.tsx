import { useTranslation } from "react-i18next";
import type { Approval } from "../../../contract/agent.ts";
import { cleanText } from "../../../contract/shown/clean-text.ts";
import type { ContentPart, ToolOutcome } from "../../../contract/turn.ts";
import { problemLine } from "../../base/i18n/problem-words.ts";
import { formatMs } from "../../base/i18n/time.ts";
import { useDisplayName } from "../../model/rows.ts";
import { useChosenSession } from "../../store/chosen-session.ts";
import { cx } from "../../ui/class-names.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { ApprovalCard, ArgumentList, useOwnerNames } from "../approvals/public.ts";
import { WhyCalled } from "../policies/public.ts";
import { WhyLink } from "../why/public.ts";
import { ArgumentDiff } from "./argument-diff.tsx";
import { PictureButton } from "./files/picture-button.tsx";
import type { ToolItem } from "./items.ts";
import { LinkedResources } from "./offered/linked-resources.tsx";
import { offerIn, RefusedHost } from "./refused-host.tsx";
import { AskedFor } from "./said/asked-for.tsx";

interface ToolCardProps {
  agentId: string;
  item: ToolItem;
  approval: Approval | undefined;
  /** Sends the agent a message; absent while it is busy, and where the conversation has gone on. */
  onAsk: ((text: string) => void) | undefined;
  /** It was somebody else's call, or the conversation is over: nothing is offered. */
  isReadOnly: boolean;
}

/** One tool call: what was asked for, what the hooks and the person made of it, and what came out. */
export function ToolCard({ agentId, item, approval, onAsk, isReadOnly }: ToolCardProps) {
  const { t } = useTranslation();
  const sessionId = useChosenSession(agentId);
  const trace = item.trace;
  const owner = useDisplayName(item.owner);
  const changedBy = useOwnerNames(trace?.changedBy ?? []);
  if (approval) return <ApprovalCard approval={approval} />;
  const offer = isReadOnly || item.outcome !== "failed" ? null : offerIn(trace?.problem);
  const isEdited = trace?.editedByPerson !== undefined;
  const rewritten = trace !== null && (trace.changedBy.length > 0 || isEdited);
  const failed = [...new Set(trace?.hooks.filter(hasFailed).map(({ owner }) => owner))];
  const asksWhy = rewritten || failed.length > 0 || (item.outcome !== null && item.outcome !== "executed");

  return (
    <article
      aria-label={t("tool.label", { tool: item.title })}
      data-outcome={item.outcome ?? "running"}
      className="mr-8 rounded-lg border border-line bg-surface px-3.5 py-2.5 shadow-card"
    >
      <header className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-0.5">
        <OutcomeMark outcome={item.outcome} />
        <code className="figure font-semibold" title={owner ?? t("approvals.builtIn")}>
          {item.title}
        </code>
        <OutcomeLine item={item} />
        {!isReadOnly && (
          <span className="ml-auto">
            <WhyLink
              agentId={agentId}
              turnId={item.turnId}
              at={{ toolCallId: item.id }}
              words={asksWhy ? "why" : "timeline"}
            />
          </span>
        )}
      </header>
      <div className="mt-2">
        {rewritten ? (
          <>
            <ArgumentDiff before={trace.arguments} after={trace.finalArguments} />
            {changedBy.length > 0 && (
              <p className="mt-1.5 text-xs text-mute">
                {t("tool.changedBy")}{" "}
                <strong className="font-semibold text-ink">{changedBy.join(", ")}</strong>
              </p>
            )}
            {isEdited && <p className="mt-1.5 text-xs text-mute">{t("tool.editedByYou")}</p>}
          </>
        ) : (
          <ArgumentList value={trace?.finalArguments ?? item.arguments} />
        )}
      </div>
      {item.outcome === "executed" && failed.map((key) => <FailedHook key={key} owner={key} />)}
      {trace && <AskedFor trace={trace} />}
      {item.progress && item.outcome === null && <p className="mt-2 text-xs text-mute">{item.progress}</p>}
      {trace?.problem && item.outcome !== "executed" && (
        <p className="mt-2 text-sm break-words text-bad">{problemLine(trace.problem)}</p>
      )}
      {offer && item.owner !== null && (
        <RefusedHost
          agentId={agentId}
          pluginKey={item.owner}
          offer={offer}
          isSaid={trace?.problem?.code === "HOST_NOT_ALLOWED"}
          onAsk={onAsk}
        />
      )}
      {item.content && item.content.length > 0 && item.outcome === "executed" && (
        <Result
          content={item.content}
          owner={item.owner}
          place={isReadOnly || sessionId === null ? null : `${agentId}/${sessionId}`}
        />
      )}
      {item.outcome !== null && sessionId !== null && (
        <WhyCalled
          agentId={agentId}
          sessionId={sessionId}
          turnId={item.turnId}
          toolCallId={item.id}
          title={item.title}
        />
      )}
    </article>
  );
}

function OutcomeMark({ outcome }: { outcome: ToolOutcome | null }) {
  if (outcome === null) return <Spinner className="text-accent" />;
  return (
    <svg
      viewBox="0 0 14 14"
      className={cx("size-3 shrink-0", outcome === "executed" ? "text-ok" : "text-bad")}
      aria-hidden="true"
    >
      {outcome === "executed" ? (
        <circle cx="7" cy="7" r="5.5" fill="currentColor" />
      ) : (
        <path
          fillRule="evenodd"
          d="M3 1.5h8A1.5 1.5 0 0 1 12.5 3v8a1.5 1.5 0 0 1-1.5 1.5H3A1.5 1.5 0 0 1 1.5 11V3A1.5 1.5 0 0 1 3 1.5ZM5.2 4.2l-1 1L6 7 4.2 8.8l1 1L7 8l1.8 1.8 1-1L8 7l1.8-1.8-1-1L7 6Z"
          fill="currentColor"
        />
      )}
    </svg>
  );
}

function OutcomeLine({ item }: { item: ToolItem }) {
  const { t } = useTranslation();
  const trace = item.trace;
  const blocker = useDisplayName(trace?.hooks.find((hook) => blocks(hook.decision))?.owner ?? null);
  const parts: string[] = [];
  if (item.outcome === null) parts.push(t("tool.running"));
  else if (item.outcome === "vetoed" && blocker) parts.push(t("tool.vetoedBy", { plugin: blocker }));
  else if (item.outcome !== "executed") parts.push(t(`tool.outcome.${item.outcome}`));
  if (trace?.givenByPerson) parts.push(t("tool.givenByYou"));
  if (trace?.executeMs != null) parts.push(formatMs(trace.executeMs));
  if (trace?.approval?.status === "allowed") parts.push(t("tool.allowedByYou"));
  return (
    <span
      className={cx(
        "text-sm",
        item.outcome && item.outcome !== "executed" ? "font-medium text-bad" : "text-mute",
      )}
    >
      {parts.join(" · ")}
    </span>
  );
}

/** Says of a call that went on all the same that a plugin failed in it. */
function FailedHook({ owner }: { owner: string }) {
  const { t } = useTranslation();
  const plugin = useDisplayName(owner);
  return <p className="mt-1.5 text-xs text-mute">{t("why.hookFailed", { plugin })}</p>;
}

function hasFailed({ decision }: { decision: string }): boolean {
  return decision === "failed" || decision === "timed_out";
}

function blocks(decision: string): boolean {
  return decision === "denied" || decision === "not_running" || hasFailed({ decision });
}

interface ResultProps {
  content: ContentPart[];
  owner: string | null;
  /** Whom what it points to can be attached for; null: nobody. */
  place: string | null;
}

/** What the tool answered: its texts folded, its pictures and what it points to in sight. */
function Result({ content, owner, place }: ResultProps) {
  const { t } = useTranslation();
  const texts = content.flatMap((part) => (part.type === "text" ? part.text : []));
  const links = new Map(
    content.flatMap((part) => (part.type === "text" && part.link ? [[part.link.uri, part.link]] : [])),
  );
  const pictures = content.flatMap((part) => (part.type === "image" ? part : []));
  return (
    <>
      {texts.length > 0 && (
        <details className="mt-2">
          <summary className="w-fit rounded-sm text-xs text-mute hover:text-ink">{t("tool.result")}</summary>
          <div className="mt-1.5 max-h-64 space-y-2 overflow-auto rounded-md bg-sunk px-3 py-2">
            {texts.map((text) => (
              <pre key={text} className="figure break-words whitespace-pre-wrap">
                {cleanText(text)}
              </pre>
            ))}
          </div>
        </details>
      )}
      {links.size > 0 && owner !== null && (
        <LinkedResources owner={owner} links={[...links.values()]} place={place} />
      )}
      {pictures.length > 0 && (
        <div className="mt-2 flex flex-wrap gap-2">
          {pictures.map(({ data, mimeType }, index) => (
            <PictureButton
              key={data.slice(0, 64)}
              name={pictures.length > 1 ? `${t("tool.image")} ${index + 1}` : t("tool.image")}
              address={`data:${mimeType};base64,${data}`}
              size="md"
            />
          ))}
        </div>
      )}
    </>
  );
}
