import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SetupStep } from "../../../../contract/setup.ts";
import { Spinner } from "../../../ui/spinner.tsx";
import { CancelButton } from "../parts/cancel-button.tsx";
import { ownWords } from "../parts/own-words.ts";
import { SignInFacts } from "../parts/sign-in-facts.tsx";
import { StepFrame } from "../parts/step-frame.tsx";
import type { StepProps } from "../parts/step-props.ts";

/** A choice: pressing an answer gives it. */
export function MenuStep({ step, wizard, name, onLeave }: StepProps<Extract<SetupStep, { kind: "menu" }>>) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string | null>(null);
  const choose = (choice: string) => {
    setChosen(choice);
    void wizard.answer({ kind: "choice", choice });
  };
  const words = ownWords(t, step.about);
  return (
    <StepFrame
      title={words.title ?? step.title ?? t("setup.title.menu", { name })}
      text={words.text ?? step.instructions}
      problem={wizard.problem}
      buttons={<CancelButton onLeave={onLeave} />}
    >
      {step.about?.kind === "sign-in" && <SignInFacts about={step.about} />}
      <ul className="space-y-2.5">
        {step.options.map(({ value, label, help = words.help?.[value] }) => (
          <li key={value}>
            <button
              type="button"
              disabled={wizard.busy}
              onClick={() => choose(value)}
              className="group flex w-full items-center gap-4 rounded-lg border border-line-strong bg-surface px-4 py-3 text-left transition-colors enabled:hover:border-accent enabled:hover:bg-sunk disabled:opacity-55"
            >
              <span className="min-w-0 flex-1">
                <span className="block font-semibold break-words">{words.labels?.[value] ?? label}</span>
                {help && <span className="mt-0.5 block text-sm break-words text-mute">{help}</span>}
              </span>
              {wizard.busy && chosen === value ? (
                <Spinner />
              ) : (
                <ChevronRight
                  className="size-4 shrink-0 text-mute group-hover:text-accent"
                  aria-hidden="true"
                />
              )}
            </button>
          </li>
        ))}
      </ul>
    </StepFrame>
  );
}
