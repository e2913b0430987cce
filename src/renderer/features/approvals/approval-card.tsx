import { ShieldQuestion } from "lucide-react";
import { type SyntheticEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Approval, ApprovalDecision } from "../../../contract/agent.ts";
import { rpc } from "../../base/client/rpc.ts";
import { useDisplayName } from "../../model/rows.ts";
import { useMirror } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { takeFocus } from "../../ui/controls/take-focus.ts";
import { JsonDiff } from "../../ui/json/json-diff.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { AlwaysNote } from "./always-note.tsx";
import { ArgumentList, useFold } from "./argument-list.tsx";
import { FoldedNote } from "./folded-note.tsx";
import { useOwnerNames } from "./names.ts";
import { TimeLeft } from "./time-left.tsx";
import { ToolWords } from "./tool-words.tsx";

type Scope = "once" | "session" | "always";
const scopes: Scope[] = ["once", "session", "always"];

async function decide(id: string, answer: ApprovalDecision) {
  const approval = await rpc.approvals.decide({ id, answer });
  useMirror.setState((state) => ({ approvals: new Map(state.approvals).set(approval.id, approval) }));
}

interface ApprovalCardProps {
  approval: Approval;
  /** Names the agent too: for places that show several. */
  withAgent?: boolean;
}

/** A tool call that waits for the person, with exactly the arguments that will run. */
export function ApprovalCard({ approval, withAgent }: ApprovalCardProps) {
  const { t } = useTranslation();
  const [denying, setDenying] = useState(false);
  const [reason, setReason] = useState("");
  const answer = useAction(decide);
  const owner = useDisplayName(approval.owner);
  const changedBy = useOwnerNames(approval.changedBy);
  const agent = useMirror((state) => state.agents.get(approval.agentId)?.name ?? approval.agentId);
  const tool = approval.title;
  const fold = useFold(approval.arguments);
  const notes = useId();
  const place = withAgent ? "approvals" : "conversation";
  // The same question may also be shown in the conversation. There it is a landmark of the page; in a list it is an
  // article.
  const Frame = withAgent ? "article" : "section";

  const deny = (event: SyntheticEvent) => {
    event.preventDefault();
    void answer.act(approval.id, { decision: "deny", ...(reason.trim() && { reason: reason.trim() }) });
  };

  return (
    <Frame
      aria-label={t("approvals.cardLabel", { tool })}
      className="rounded-lg border border-accent/45 bg-surface shadow-card"
    >
      <header className="flex items-center gap-2.5 px-3.5 pt-3">
        <ShieldQuestion className="size-4 shrink-0 text-accent" aria-hidden="true" />
        <h3 className="min-w-0 flex-1 text-sm font-semibold break-words">
          {t("approvals.question", { tool })}
        </h3>
        <TimeLeft from={approval.createdAt} until={approval.expiresAt} />
      </header>
      <p className="pt-0.5 pr-3.5 pl-10 text-xs text-mute">
        {owner ? t("approvals.ofPlugin", { plugin: owner }) : t("approvals.builtIn")}
        {withAgent && ` · ${t("approvals.forAgent", { agent })}`}
        {approval.caller.kind === "channel" &&
          ` · ${t("approvals.fromChannel", { user: approval.caller.userId, channel: approval.caller.channel })}`}
        {approval.caller.kind === "owner" &&
          approval.caller.program !== undefined &&
          ` · ${t("programs.through", { program: approval.caller.program })}`}
      </p>
      <ToolWords
        className="pt-1.5 pr-3.5 pl-10 text-sm"
        name={approval.tool}
        owner={owner}
        text={approval.does ?? ""}
        ours={approval.ours}
      />
      <div className="px-3.5 pt-2.5">
        <ArgumentList value={approval.arguments} fold={fold} />
        {approval.editedByPerson && (
          <div className="mt-2 space-y-1.5">
            <p className="text-xs text-warn">{t("approvals.editedByYou")}</p>
            <JsonDiff
              before={approval.editedByPerson.before}
              after={approval.arguments}
              label={t("approvals.editedByYou")}
            />
          </div>
        )}
        {changedBy.length > 0 && (
          <p className="mt-2 text-xs text-warn">
            {t("approvals.changedBy", { plugins: changedBy.join(", ") })}
          </p>
        )}
      </div>
      {answer.problem && <ProblemNote className="mx-3.5 mt-3" problem={answer.problem} />}
      {denying ? (
        <form onSubmit={deny} className="mt-3 flex gap-2 border-t border-line px-3.5 py-3">
          <input
            className="field h-8 min-w-0 flex-1"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            placeholder={t("approvals.reasonPlaceholder")}
            aria-label={t("approvals.reason")}
            ref={takeFocus}
          />
          <Button onClick={() => setDenying(false)} look="quiet">
            {t("common.back")}
          </Button>
          <Button type="submit" look="danger" busy={answer.busy}>
            {t("approvals.deny")}
          </Button>
        </form>
      ) : (
        <footer className="mt-3 flex flex-wrap items-center gap-1.5 border-t border-line px-3.5 py-2.5">
          <div id={notes} className="w-full space-y-1 pb-1 text-xs text-mute">
            <FoldedNote fold={fold} />
            <AlwaysNote approval={approval} agent={agent} />
          </div>
          {scopes.map((scope) => (
            <Button
              key={scope}
              look={scope === "once" ? "accent" : "plain"}
              ahead
              size="sm"
              className="px-2"
              disabled={answer.busy}
              aria-describedby={notes}
              onClick={() => void answer.act(approval.id, { decision: "allow", scope, place })}
            >
              {t(`approvals.allow.${scope}`)}
            </Button>
          ))}
          <Button
            look="danger"
            size="sm"
            className="ml-auto px-2"
            disabled={answer.busy}
            onClick={() => setDenying(true)}
          >
            {t("approvals.denyMore")}
          </Button>
        </footer>
      )}
    </Frame>
  );
}
