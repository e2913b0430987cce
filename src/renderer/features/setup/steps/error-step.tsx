import { RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SetupStep } from "../../../../contract/setup.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { CancelButton } from "../parts/cancel-button.tsx";
import { StepFrame } from "../parts/step-frame.tsx";
import type { StepProps } from "../parts/step-props.ts";

/** What went wrong, and to try again. Nothing was saved. */
export function ErrorStep({ step, wizard, name, onLeave }: StepProps<Extract<SetupStep, { kind: "error" }>>) {
  const { t } = useTranslation();
  const { code } = step.problem;
  const left = code === "SETUP_INTERRUPTED" || code === "SETUP_EXPIRED";
  return (
    <StepFrame
      title={t(
        code === "SETUP_INTERRUPTED"
          ? "setup.title.interrupted"
          : code === "SETUP_EXPIRED"
            ? "setup.title.expired"
            : "setup.title.error",
        { name },
      )}
      text={t("setup.nothingSaved")}
      problem={wizard.problem}
      buttons={
        <>
          <CancelButton onLeave={onLeave} />
          {step.canRetry && (
            <Button
              look="accent"
              busy={wizard.busy}
              icon={<RotateCw className="size-3.5" aria-hidden="true" />}
              onClick={() => void wizard.answer({ kind: "retry" })}
            >
              {t(left ? "setup.startAgain" : "setup.retry")}
            </Button>
          )}
        </>
      }
    >
      <ProblemNote problem={step.problem} tone={left ? "warn" : "bad"} />
    </StepFrame>
  );
}
