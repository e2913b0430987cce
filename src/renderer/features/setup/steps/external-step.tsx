import { KeyRound, Link2, QrCode as QrIcon, RefreshCw } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SetupStep } from "../../../../contract/setup.ts";
import { announce } from "../../../ui/announce.tsx";
import { cx } from "../../../ui/class-names.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { CancelButton } from "../parts/cancel-button.tsx";
import { CountdownRing } from "../parts/countdown-ring.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { PollStatus } from "../parts/poll-status.tsx";
import { QrCode } from "../parts/qr-code.tsx";
import { ShownCode } from "../parts/shown-code.tsx";
import { StepFrame } from "../parts/step-frame.tsx";
import type { StepProps } from "../parts/step-props.ts";
import { type Countdown, lengthText, useCountdown } from "../parts/use-countdown.ts";

type External = Extract<SetupStep, { kind: "external" }>;
type Way = "qr" | "code" | "link";

/**
 * A step that waits for something outside: a code to scan or type, or a page to visit. The core asks the plugin how it
 * goes and sends changes.
 */
export function ExternalStep({ step, wizard, name, onLeave }: StepProps<External>) {
  const { t } = useTranslation();
  const ways = waysOf(step);
  const [wanted, setWanted] = useState<Way | null>(null);
  const way = ways.find((known) => known === wanted) ?? ways[0] ?? null;
  const countdown = useCountdown(step.shownAt, step.expiresAt);
  const over = countdown?.over ?? false;
  useAnnouncements(step, over);
  const renew = (
    <Button
      look="accent"
      busy={wizard.busy}
      icon={<RefreshCw className="size-3.5" aria-hidden="true" />}
      onClick={() => void wizard.answer({ kind: "renew" })}
    >
      {t(way === "link" ? "setup.newLink" : "setup.newCode")}
    </Button>
  );

  return (
    <StepFrame
      title={step.title ?? t(`setup.title.${way ?? "wait"}`, { name })}
      text={step.instructions}
      problem={wizard.problem}
      status={<PollStatus step={step} wizard={wizard} over={over} />}
      buttons={<CancelButton onLeave={onLeave} />}
    >
      <div className="flex flex-wrap gap-7">
        {way === "qr" && (
          <div className="relative">
            <QrCode text={step.qrText ?? ""} label={t("setup.qrLabel", { name })} spent={over} />
            {over && <div className="absolute inset-0 grid place-items-center">{renew}</div>}
          </div>
        )}
        <div className="min-w-[200px] flex-1 space-y-4">
          {way === "code" && <ShownCode code={step.code ?? ""} spent={over} />}
          {way === "link" && step.redirectUrl && <PageLink url={step.redirectUrl} spent={over} />}
          {countdown && <GoodFor step={step} way={way} countdown={countdown} />}
          {over && way !== "qr" && renew}
          <div className="flex flex-col items-start gap-2">
            {ways
              .filter((other) => other !== way)
              .map((other) => (
                <Button key={other} size="sm" icon={icons[other]} onClick={() => setWanted(other)}>
                  {t(way === "qr" ? `setup.cannotScan.${other}` : `setup.instead.${other}`)}
                </Button>
              ))}
          </div>
        </div>
      </div>
    </StepFrame>
  );
}

const icons: Record<Way, ReactNode> = {
  qr: <QrIcon className="size-3.5" aria-hidden="true" />,
  code: <KeyRound className="size-3.5" aria-hidden="true" />,
  link: <Link2 className="size-3.5" aria-hidden="true" />,
};

function waysOf({ qrText, code, redirectUrl }: External): Way[] {
  const ways: Way[] = [];
  if (qrText !== undefined) ways.push("qr");
  if (code !== undefined) ways.push("code");
  if (redirectUrl !== undefined) ways.push("link");
  return ways;
}

interface GoodForProps {
  step: External;
  way: Way | null;
  countdown: Countdown;
}

function GoodFor({ step, way, countdown }: GoodForProps) {
  const { t } = useTranslation();
  const { attempt } = step;
  const more = attempt !== undefined && (attempt.of === undefined || attempt.number < attempt.of);
  const what = way === "link" ? "link" : "code";
  return (
    <div className={cx("flex gap-x-5 gap-y-3", way === "qr" ? "flex-col" : "items-center")}>
      <CountdownRing countdown={countdown} />
      <div>
        <p className="font-semibold">
          {countdown.over
            ? t(`setup.expired.${what}`)
            : t(`setup.goodFor.${what}`, { time: lengthText(countdown.seconds) })}
        </p>
        <p className="text-sm text-mute">
          {countdown.over ? t("setup.expiredText") : t(more ? "setup.thenAnother" : "setup.thenAsk")}
        </p>
        {attempt && what === "code" && (
          <p className="text-sm text-mute">
            {attempt.of === undefined
              ? t("setup.attempt", { number: attempt.number })
              : t("setup.attemptOf", { number: attempt.number, of: attempt.of })}
          </p>
        )}
      </div>
    </div>
  );
}

/** What changes by itself is read out: another code, and a code that has expired. */
function useAnnouncements(step: External, over: boolean): void {
  const { t } = useTranslation();
  const what = step.qrText ?? step.code ?? step.redirectUrl;
  const [first] = useState(what);
  useEffect(() => {
    if (over) announce(t("setup.expired.code"));
    else if (what !== first) announce(t("setup.another"));
  }, [what, first, over, t]);
}
