import { CircleAlert, CircleCheck, Send } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { LiveTracesView, OtlpSettings } from "../../../../contract/trace/live-traces.ts";
import { formatAgo, useNow } from "../../../base/i18n/time.ts";
import { useMirror } from "../../../store/mirror.ts";
import { saveSettings } from "../../../store/save-settings.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Block } from "../../../ui/well.tsx";
import { failureWords } from "./failure-words.ts";
import { ReceiverForm } from "./receiver-form.tsx";
import { useLiveTraces } from "./use-live-traces.ts";

/** Sends what happens in turns to an OpenTelemetry receiver: off until the person says where to. */
export function LiveTracesBlock() {
  const { t } = useTranslation();
  const otlp = useMirror((state) => state.settings?.otlp ?? null);
  const [isOpen, setOpen] = useState(false);
  const save = useAction(saveSettings);
  const turnOff = async () => {
    if (await save.act({ otlp: null })) setOpen(false);
  };
  return (
    <Block
      title={t("live.title")}
      action={
        !isOpen && (
          <div className="flex gap-2">
            {otlp && (
              <Button size="sm" busy={save.busy} onClick={() => void turnOff()}>
                {t("live.turnOff")}
              </Button>
            )}
            <Button size="sm" onClick={() => setOpen(true)}>
              {t(otlp ? "live.change" : "live.turnOn")}
            </Button>
          </div>
        )
      }
    >
      {otlp ? <Status otlp={otlp} /> : <p className="max-w-[72ch] text-sm text-mute">{t("live.off")}</p>}
      {isOpen && <ReceiverForm before={otlp} onClose={() => setOpen(false)} />}
      {save.problem && <ProblemNote className="mt-3" problem={save.problem} />}
    </Block>
  );
}

function Status({ otlp }: { otlp: OtlpSettings }) {
  const { t } = useTranslation();
  const view = useLiveTraces();
  return (
    <div className="space-y-1.5 text-sm">
      <p className="flex items-start gap-2">
        <Send className="mt-0.5 size-4 shrink-0 text-hint" aria-hidden="true" />
        <span className="min-w-0 break-all">
          {t(otlp.contents ? "live.toWhole" : "live.to", { address: otlp.endpoint })}
        </span>
      </p>
      <div role="status">{view && <Progress view={view} />}</div>
    </div>
  );
}

function Progress({ view }: { view: LiveTracesView }) {
  const { t } = useTranslation();
  const now = useNow(15_000);
  const { failure, lastSentAt, sent, waiting, dropped } = view;
  const more = [
    waiting > 0 && t("live.waiting", { count: waiting }),
    dropped > 0 && t("live.dropped", { count: dropped }),
  ].filter((part) => part !== false);
  return (
    <>
      {failure ? (
        <p className="flex items-start gap-2 font-medium text-bad">
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          <span>{failureWords(failure, t)}</span>
        </p>
      ) : (
        lastSentAt && (
          <p className="flex items-start gap-2 font-medium text-ok">
            <CircleCheck className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
            <span>
              {sent === 0
                ? t("live.reached", { time: formatAgo(lastSentAt, now) })
                : t("live.sent", { count: sent, time: formatAgo(lastSentAt, now) })}
            </span>
          </p>
        )
      )}
      {more.length > 0 && <p className="mt-1 pl-6 text-mute">{more.join(" ")}</p>}
    </>
  );
}
