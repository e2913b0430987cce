import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApprovalCard } from "../../features/approvals/approval-card.tsx";
import { PluginQuestion } from "../../features/approvals/plugin-question.tsx";
import { useOpenDialogs, useWaitingApprovals } from "../../features/approvals/waiting.ts";
import { Button } from "../../ui/controls/button.tsx";
import { EmptyState } from "../../ui/empty/empty-state.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { fitsFilter, noHistoryFilter, useHistory } from "./history.ts";
import { HistoryFilters } from "./history-filters.tsx";
import { HistoryRow } from "./history-row.tsx";

/** What waits for the person, of all agents, and what was decided. */
export function ApprovalsPage() {
  const { t } = useTranslation();
  return (
    <div className="h-full overflow-y-auto animate-appear">
      <div className="page-x pt-5 pb-10">
        <header className="pb-4">
          <h1 className="title">{t("rail.approvals")}</h1>
          <p className="text-mute">{t("history.subtitle")}</p>
        </header>
        <Waiting />
        <History />
      </div>
    </div>
  );
}

function Waiting() {
  const { t } = useTranslation();
  const approvals = useWaitingApprovals();
  const dialogs = useOpenDialogs();
  return (
    <section aria-labelledby="approvals-waiting">
      <h2 id="approvals-waiting" className="mb-2.5 text-sm font-semibold">
        {t("history.waiting")}
      </h2>
      {approvals.length + dialogs.length === 0 ? (
        <EmptyState title={t("history.nothingWaits")} text={t("history.nothingWaitsText")} />
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(420px,100%),1fr))] items-start gap-3">
          {dialogs.map((dialog) => (
            <li key={dialog.id}>
              <PluginQuestion dialog={dialog} withAgent />
            </li>
          ))}
          {approvals.map((approval) => (
            <li key={approval.id}>
              <ApprovalCard approval={approval} withAgent />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function History() {
  const { t } = useTranslation();
  const { history, problem } = useHistory();
  const [filter, setFilter] = useState(noHistoryFilter);
  const fitting = history?.filter((approval) => fitsFilter(approval, filter)) ?? [];
  return (
    <section aria-labelledby="approvals-history" className="mt-8">
      <header className="mb-2.5 flex flex-wrap items-center justify-between gap-3">
        <h2 id="approvals-history" className="text-sm font-semibold">
          {t("history.title")}{" "}
          {history && history.length > 0 && (
            <span className="ml-1 font-normal text-mute">
              {t("history.count", { count: fitting.length })}
            </span>
          )}
        </h2>
        {history && history.length > 0 && (
          <HistoryFilters history={history} filter={filter} onChange={setFilter} />
        )}
      </header>
      {problem && <ProblemNote problem={problem} />}
      {!problem && history === null && <p className="text-sm text-mute">{t("history.loading")}</p>}
      {history?.length === 0 && <EmptyState title={t("history.empty")} text={t("history.emptyText")} />}
      {history && history.length > 0 && fitting.length === 0 && (
        <EmptyState
          title={t("history.nothingFits")}
          text={t("empty.lessFinds")}
          action={<Button onClick={() => setFilter(noHistoryFilter)}>{t("history.clear")}</Button>}
        />
      )}
      {fitting.length > 0 && (
        <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
          {fitting.map((approval) => (
            <HistoryRow key={approval.id} approval={approval} />
          ))}
        </div>
      )}
    </section>
  );
}
