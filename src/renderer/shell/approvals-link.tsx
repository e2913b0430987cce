import { ShieldCheck } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { NavLink } from "react-router";
import { approvalsPath } from "../base/routes.ts";
import { useOpenDialogs, useWaitingApprovals } from "../features/approvals/waiting.ts";
import { RailCount } from "./rail-count.tsx";
import { RailWord } from "./rail-word.tsx";

interface ApprovalsLinkProps {
  agentId: string;
  title: string | undefined;
  className(active: boolean): string;
}

/** In the rail: the way to the approvals, and how many questions wait. */
export function ApprovalsLink({ agentId, title, className }: ApprovalsLinkProps) {
  const { t } = useTranslation();
  const approvals = useWaitingApprovals();
  const dialogs = useOpenDialogs();
  const count = approvals.length + dialogs.length;
  // The window's title shows the number, too, for a tab among many or a window behind others.
  useEffect(() => {
    document.title = count > 0 ? `(${count}) Patchbay` : "Patchbay";
  }, [count]);
  return (
    <NavLink to={approvalsPath(agentId)} title={title} className={({ isActive }) => className(isActive)}>
      <ShieldCheck className="size-4 shrink-0" aria-hidden="true" />
      <RailWord>{t("rail.approvals")}</RailWord>
      <RailCount count={count} label={t("approvals.waiting", { count })} />
    </NavLink>
  );
}
