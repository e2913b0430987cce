import { ShieldCheck } from "lucide-react";
import { Popover } from "radix-ui";
import { useTranslation } from "react-i18next";
import { RailCount } from "../shell/rail-count.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { PluginQuestion } from "./plugin-question.tsx";
import { useOpenDialogs, useWaitingApprovals } from "./waiting.ts";

/** In the rail: how many questions wait, and the questions themselves in a popover. */
export function ApprovalsButton({ className }: { className: string }) {
  const { t } = useTranslation();
  const approvals = useWaitingApprovals();
  const dialogs = useOpenDialogs();
  const count = approvals.length + dialogs.length;
  return (
    <Popover.Root>
      <Popover.Trigger className={className}>
        <ShieldCheck className="size-4" aria-hidden="true" />
        <span className="flex-1 text-left">{t("rail.approvals")}</span>
        <RailCount count={count} label={t("approvals.waiting", { count })} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="right"
          align="start"
          sideOffset={14}
          collisionPadding={16}
          aria-label={t("approvals.title")}
          className="z-40 max-h-[80vh] w-[420px] overflow-y-auto rounded-xl border border-line bg-raised p-4 shadow-high animate-appear"
        >
          <h2 className="mb-3 text-lg font-semibold">{t("approvals.title")}</h2>
          {count === 0 ? (
            <p className="pb-1 text-sm text-mute">{t("approvals.none")}</p>
          ) : (
            <ul className="space-y-3">
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
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
