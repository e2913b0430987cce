import { ExternalLink, KeyRound, MonitorSmartphone } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SetupStep } from "../../../../contract/setup.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { CancelButton } from "../parts/cancel-button.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { ShownCode } from "../parts/shown-code.tsx";
import { StepFrame } from "../parts/step-frame.tsx";
import type { StepProps } from "../parts/step-props.ts";
import { clockText, useCountdown } from "../parts/use-countdown.ts";
import type { Wizard } from "../parts/use-wizard.ts";

type SignIn = Extract<SetupStep, { kind: "oauth" }>;

/** A sign-in that the core carries out. The person is at the provider's page, and this page waits for them. */
export function SignInStep({ step, wizard, name, onLeave }: StepProps<SignIn>) {
  const { t } = useTranslation();
  const [from] = useState(() => new Date().toISOString());
  const countdown = useCountdown(from, step.expiresAt);
  const [followed, setFollowed] = useState<string | null>(null);
  const waits = step.opened || followed === step.url;
  const other = step.ways.find((way) => way !== step.way);

  return (
    <StepFrame
      title={step.title ?? t("setup.title.oauth", { name })}
      text={step.instructions ?? t(step.way === "device" ? "setup.deviceText" : "setup.signInText", { name })}
      problem={wizard.problem}
      status={
        <>
          <Spinner className="size-3.5 shrink-0 text-accent" />
          <span>{waits ? t("setup.waitingBrowser") : t("setup.waitingSignIn")}</span>
          {countdown && !countdown.over && (
            <span className="text-hint tabular-nums" title={t("setup.signInUntil")}>
              {clockText(countdown.seconds)}
            </span>
          )}
        </>
      }
      buttons={<CancelButton onLeave={onLeave} />}
    >
      <div className="space-y-5">
        {step.way === "device" ? (
          <>
            <ShownCode code={step.userCode ?? ""} spent={false} />
            <PageLink url={step.url} onFollow={() => setFollowed(step.url)} />
          </>
        ) : (
          <BrowserPage step={step} waits={waits} wizard={wizard} onFollow={() => setFollowed(step.url)} />
        )}
        {other && (
          <Button
            size="sm"
            disabled={wizard.busy}
            icon={<KeyRound className="size-3.5" aria-hidden="true" />}
            onClick={() => void wizard.answer({ kind: "way", way: other })}
          >
            {t(`setup.way.${other}`)}
          </Button>
        )}
      </div>
    </StepFrame>
  );
}

interface BrowserPageProps {
  step: SignIn;
  waits: boolean;
  wizard: Wizard;
  onFollow(): void;
}

function BrowserPage({ step, waits, wizard, onFollow }: BrowserPageProps) {
  const { t } = useTranslation();
  if (!waits) return <PageLink url={step.url} label={t("setup.openSignIn")} onFollow={onFollow} />;
  return (
    <div className="flex items-start gap-5 rounded-lg bg-sunk px-6 py-6">
      <MonitorSmartphone
        className="mt-0.5 size-8 shrink-0 text-accent"
        strokeWidth={1.6}
        aria-hidden="true"
      />
      <div className="min-w-0 space-y-3">
        <p className="text-lg font-semibold">{t("setup.waitingTitle")}</p>
        <p className="text-sm text-mute">{t("setup.waitingText", { host: new URL(step.url).host })}</p>
        <div className="flex flex-wrap gap-2">
          {step.opened ? (
            <>
              <Button
                busy={wizard.busy}
                icon={<ExternalLink className="size-3.5" aria-hidden="true" />}
                onClick={() => void wizard.answer({ kind: "open" })}
              >
                {t("setup.openAgain")}
              </Button>
              <CopyButton text={() => step.url} label={t("setup.copyLink")} />
            </>
          ) : (
            <PageLink quiet url={step.url} label={t("setup.openAgain")} onFollow={onFollow} />
          )}
        </div>
      </div>
    </div>
  );
}
