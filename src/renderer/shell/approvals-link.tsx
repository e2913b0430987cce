import { ShieldCheck } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { NavLink } from "react-router";
import { approvalsPath } from "../base/routes.ts";
import { useOpenDialogs, useWaitingApprovals } from "../features/approvals/waiting.ts";
import { RailCount } from "./rail-count.tsx";

/** In the rail: the way to the approvals, and how many questions wait. */
export function ApprovalsLink({
  agentId,
  className,
}: {
  agentId: string;
  className(active: boolean): string;
}) {
  const { t } = useTranslation();
  const approvals = useWaitingApprovals();
  const dialogs = useOpenDialogs();
  const count = approvals.length + dialogs.length;
  // The window's title shows the number, too, for a tab among many or a window behind others.
  useEffect(() => {
    document.title = count > 0 ? `(${count}) Patchbay` : "Patchbay";
  }, [count]);
  return (
    <NavLink to={approvalsPath(agentId)} className={({ isActive }) => className(isActive)}>
      <ShieldCheck className="size-4" aria-hidden="true" />
      <span className="flex-1 text-left">{t("rail.approvals")}</span>
      <RailCount count={count} label={t("approvals.waiting", { count })} />
    </NavLink>
  );
}
