import { KeyRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { hasWizard } from "../../model/finished-setup.ts";
import { currentProblem } from "../../model/health.ts";
import { displayName, type Row } from "../../model/rows.ts";
import { openWizard } from "../../store/wizard-panel.ts";
import { Button } from "../../ui/controls/button.tsx";
import { useSetupIsOpen } from "./use-setup-is-open.ts";

/**
 * Offers what gets a plugin going again: signing in when the service refuses its credentials, or the setup that is
 * open.
 */
export function SetupBanner({ row, className }: { row: Row; className?: string }) {
  const { t } = useTranslation();
  const open = useSetupIsOpen(row.agentId, row.key);
  const problem = currentProblem(row);
  const refused = problem?.code === "CREDENTIALS_REFUSED" && hasWizard(row.plugin);
  if (!open && !refused) return null;
  const name = displayName(row);
  return (
    <div
      role="status"
      className={`flex items-center gap-3 rounded-lg border border-warn/40 bg-warn-wash px-4 py-3 text-sm ${className ?? ""}`}
    >
      <KeyRound className="size-4 shrink-0 text-warn" aria-hidden="true" />
      <p className="min-w-0 flex-1 break-words">
        <span className="font-medium">{t(open ? "setup.tab.open" : "setup.tab.refused", { name })}</span>{" "}
        <span className="text-mute">{open ? t("setup.tab.openText") : problem?.message}</span>
      </p>
      <Button
        look="accent"
        ahead
        size="sm"
        onClick={() => void openWizard(row.agentId, row.key, open ? {} : { reason: "sign_in_again" })}
      >
        {t(open ? "step.continueSetup" : "step.signInAgain")}
      </Button>
    </div>
  );
}
