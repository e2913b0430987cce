import { Ban, Check, ChevronRight, CircleSlash, Clock } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Approval } from "../../../contract/agent.ts";
import { formatAgo, formatMoment, useNow } from "../../base/i18n/time.ts";
import { ArgumentList } from "../../features/approvals/argument-list.tsx";
import { useOwnerNames } from "../../features/approvals/names.ts";
import { WhyCalled } from "../../features/policies/public.ts";
import { useDisplayName } from "../../model/rows.ts";
import { useMirror } from "../../store/mirror.ts";
import { cx } from "../../ui/class-names.ts";
import type { Outcome } from "./history.ts";

const looks: Record<Outcome, { icon: typeof Check; tone: string }> = {
  allowed: { icon: Check, tone: "bg-ok-wash text-ok" },
  denied: { icon: Ban, tone: "bg-bad-wash text-bad" },
  timed_out: { icon: Clock, tone: "bg-warn-wash text-warn" },
  cancelled: { icon: CircleSlash, tone: "bg-sunk text-mute" },
};

/** One decided question: what became of it in a line, and everything else when it is opened. */
export function HistoryRow({ approval }: { approval: Approval }) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const plugin = useDisplayName(approval.owner) ?? t("approvals.builtIn");
  const agent = useMirror((state) => state.agents.get(approval.agentId)?.name ?? approval.agentId);
  const outcome: Outcome = approval.status === "waiting" ? "cancelled" : approval.status;
  const { icon: Icon, tone } = looks[outcome];
  const decidedAt = approval.decidedAt ?? approval.createdAt;
  const scope = approval.scope && t(`history.scope.${approval.scope}`);
  return (
    <details className="group border-b border-line last:border-b-0 [content-visibility:auto] [contain-intrinsic-size:auto_53px]">
      <summary className="flex list-none items-center gap-3 px-4 py-2.5 hover:bg-sunk/60 focus-visible:-outline-offset-2">
        <span className={cx("grid size-7 shrink-0 place-items-center rounded-full", tone)}>
          <Icon className="size-4" aria-hidden="true" />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate font-mono text-sm font-medium">{approval.title}</span>
          <span className="block truncate text-xs text-mute">
            {plugin} · {t("approvals.forAgent", { agent })}
          </span>
        </span>
        <span className="w-52 shrink-0 text-sm">
          <span className="font-medium">{t(`history.status.${outcome}`)}</span>
          {scope && <span className="text-mute"> · {scope}</span>}
        </span>
        <time
          dateTime={decidedAt}
          title={formatMoment(decidedAt)}
          className="w-24 shrink-0 text-right text-xs text-mute"
        >
          {formatAgo(decidedAt, now)}
        </time>
        <ChevronRight
          className="size-4 shrink-0 text-hint transition-transform group-open:rotate-90"
          aria-hidden="true"
        />
      </summary>
      <Details approval={approval} decidedAt={decidedAt} />
    </details>
  );
}

function Details({ approval, decidedAt }: { approval: Approval; decidedAt: string }) {
  const { t } = useTranslation();
  const changedBy = useOwnerNames(approval.changedBy);
  const lines = [
    changedBy.length > 0 ? t("history.changedBy", { plugins: changedBy.join(", ") }) : t("history.unchanged"),
    ...(approval.caller.kind === "owner" && approval.caller.program !== undefined
      ? [t("programs.through", { program: approval.caller.program })]
      : []),
    ...(approval.caller.kind === "channel"
      ? [t("history.askedBy", { user: approval.caller.userId, channel: approval.caller.channel })]
      : []),
    ...(approval.reason ? [t("history.reason", { reason: approval.reason })] : []),
    ...(approval.decidedBy?.kind === "channel"
      ? [t("history.decidedBy", { user: approval.decidedBy.userId, channel: approval.decidedBy.channel })]
      : []),
    t("history.decidedAt", { time: formatMoment(decidedAt) }),
  ];
  return (
    <div className="space-y-2 px-4 pt-1 pb-4 pl-14">
      <h3 className="text-xs font-medium text-mute">{t("history.arguments")}</h3>
      <ArgumentList value={approval.arguments} />
      <ul className="space-y-0.5 text-sm text-mute">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {approval.turnId !== null && (
        <WhyCalled
          agentId={approval.agentId}
          sessionId={approval.sessionId}
          turnId={approval.turnId}
          toolCallId={approval.toolCallId}
          title={approval.title}
        />
      )}
    </div>
  );
}
