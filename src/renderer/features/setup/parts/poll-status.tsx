import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SetupStep } from "../../../../contract/setup.ts";
import { problemWords } from "../../../base/i18n/problem-words.ts";
import { useNow } from "../../../base/i18n/time.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import type { Wizard } from "./use-wizard.ts";

interface PollStatusProps {
  step: Extract<SetupStep, { kind: "external" }>;
  wizard: Wizard;
  over: boolean;
}

/** How asking goes. What failed is asked again by itself; the person may ask at once. */
export function PollStatus({ step, wizard, over }: PollStatusProps) {
  const { t } = useTranslation();
  const now = useNow(500);
  const { failures, problem, nextAt } = step.poll;
  if (!problem)
    return over ? null : (
      <>
        <Spinner className="size-3.5 shrink-0 text-accent" />
        {t(step.redirectUrl && !step.qrText && !step.code ? "setup.waitingPage" : "setup.waitingPhone")}
      </>
    );
  const seconds = nextAt === null ? 0 : Math.max(0, Math.ceil((Date.parse(nextAt) - now) / 1_000));
  const { title, original } = problemWords(problem);
  return (
    <>
      <TriangleAlert className="size-4 shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0">
        <p role="status" className="line-clamp-2 text-ink" title={original ?? title}>
          {t("setup.pollFailed", { count: failures })} {original ?? title}
        </p>
        <p className="text-xs text-mute">
          {seconds > 0 ? t("setup.pollAgainIn", { count: seconds }) : t("setup.pollAgain")}
        </p>
      </div>
      <Button size="sm" disabled={wizard.busy} onClick={() => void wizard.poll()}>
        {t("setup.pollNow")}
      </Button>
    </>
  );
}
