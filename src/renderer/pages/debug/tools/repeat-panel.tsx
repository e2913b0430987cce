import { Repeat as RepeatIcon, Square } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { mostRepetitions } from "../../../../contract/by-hand/by-hand.ts";
import { callTimes } from "../../../../contract/by-hand/call-times.ts";
import type { ToolRight } from "../../../../contract/permissions/tool-rights.ts";
import { problemLine } from "../../../base/i18n/problem-words.ts";
import { formatCount, formatMs, formatNumber } from "../../../base/i18n/time.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Field } from "../../../ui/controls/field.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { TimeBars } from "./time-bars.tsx";
import type { Repeat } from "./use-repeat.ts";

interface RepeatPanelProps {
  tool: ToolRight;
  straight: boolean;
  busy: boolean;
  repeat: Repeat;
  /** Begins with the arguments as they stand in the form. */
  onBegin(times: number): void;
}

/** The same call many times: how often, how far it is, and how long the calls took. */
export function RepeatPanel({ tool, straight, busy, repeat, onBegin }: RepeatPanelProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("100");
  const [isTried, setTried] = useState(false);
  const times = Number(typed);
  const isRight = Number.isInteger(times) && times >= 2 && times <= mostRepetitions;
  const asks = tool.effect === "ask" && !straight;
  const { calls, running } = repeat;
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (isRight) onBegin(times);
  };
  return (
    <section aria-label={t("callTool.repeat")} className="border-t border-line pt-3">
      <form noValidate onSubmit={send} className="flex flex-wrap items-end gap-2.5">
        <Field
          className="w-32"
          label={t("callTool.times")}
          error={isTried && !isRight ? t("callTool.timesWrong", { most: mostRepetitions }) : undefined}
        >
          {(control) => (
            <input
              {...control}
              className="field h-8"
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              disabled={busy}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        {running ? (
          // Two buttons and not one: pressed, this one must not submit as the other before the press is over.
          <Button key="stop" icon={<Square className="size-3.5" aria-hidden="true" />} onClick={repeat.stop}>
            {t("callTool.stop")}
          </Button>
        ) : (
          <Button
            key="run"
            type="submit"
            disabled={busy || asks}
            icon={<RepeatIcon className="size-3.5" aria-hidden="true" />}
          >
            {t("callTool.runMany")}
          </Button>
        )}
      </form>
      {asks && <p className="mt-1.5 text-xs text-mute">{t("callTool.asksEach", { tool: tool.title })}</p>}
      {running && (
        <div className="mt-3">
          <progress
            className="h-1.5 w-full accent-accent"
            max={repeat.times}
            value={calls.length}
            aria-label={t("callTool.repeat")}
          />
          <p role="status" className="text-xs text-mute">
            {t("callTool.done", { done: formatCount(calls.length), of: formatCount(repeat.times) })}
          </p>
        </div>
      )}
      {repeat.problem && <ProblemNote className="mt-3" problem={repeat.problem} />}
      {calls.length > 0 && <Figures repeat={repeat} />}
    </section>
  );
}

function Figures({ repeat: { calls, running, times } }: { repeat: Repeat }) {
  const { t } = useTranslation();
  const figures = callTimes(calls);
  if (!figures) return null;
  const failed = calls.find(({ problem }) => problem !== null)?.problem;
  const shown = [
    { label: t("callTool.calls"), value: formatCount(figures.count) },
    { label: t("callTool.failures"), value: formatCount(figures.failures), isBad: figures.failures > 0 },
    { label: "p50", value: precise(figures.p50) },
    { label: "p95", value: precise(figures.p95) },
    { label: t("callTool.slowest"), value: precise(figures.max) },
  ];
  return (
    <div className="mt-3">
      <dl className="flex flex-wrap gap-x-6 gap-y-1.5" aria-label={t("callTool.figures")}>
        {shown.map(({ label, value, isBad }) => (
          <div key={label}>
            <dt className="text-xs text-mute">{label}</dt>
            <dd className={isBad ? "text-sm font-semibold text-bad" : "text-sm font-semibold"}>{value}</dd>
          </div>
        ))}
      </dl>
      <TimeBars calls={calls} />
      {failed && <p className="mt-1.5 text-sm wrap-anywhere text-bad">{problemLine(failed)}</p>}
      {!running && calls.length < times && (
        <p className="mt-1 text-xs text-mute">{t("callTool.stopped", { of: formatCount(times) })}</p>
      )}
    </div>
  );
}

/** Milliseconds; those of fast tools with two places. */
function precise(ms: number): string {
  return ms < 10 ? `${formatNumber(ms, 2)} ms` : formatMs(ms);
}
