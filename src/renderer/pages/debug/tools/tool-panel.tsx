import { Play, Square } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ToolRight } from "../../../../contract/permissions/tool-rights.ts";
import { cleanText } from "../../../../contract/shown/clean-text.ts";
import { ApprovalCard, ToolWords, useWaitingApprovals } from "../../../features/approvals/public.ts";
import type { Config } from "../../../features/settings-form/public.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Segments } from "../../../ui/controls/segments.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { ArgumentsForm } from "./arguments-form.tsx";
import { CallResult } from "./call-result.tsx";
import { CallSteps } from "./call-steps.tsx";
import type { MadeCall } from "./calls.ts";
import { RepeatPanel } from "./repeat-panel.tsx";
import { useArguments } from "./use-arguments.ts";
import { useRepeat } from "./use-repeat.ts";
import { useToolCall } from "./use-tool-call.ts";

interface ToolPanelProps {
  agentId: string;
  tool: ToolRight;
  /** The display name of its plugin; null for a built-in tool. */
  owner: string | null;
  /** The earlier call whose arguments are used again. */
  again: MadeCall | null;
}

/** One tool: its arguments, the ways of calling it, and what came out. */
export function ToolPanel({ agentId, tool, owner, again }: ToolPanelProps) {
  const { t } = useTranslation();
  const args = useArguments(tool, again?.input ?? null);
  const [straight, setStraight] = useState(again?.straight ?? false);
  const call = useToolCall(agentId, tool);
  const repeat = useRepeat(agentId, tool);
  const submit = useRef<HTMLButtonElement>(null);
  /** How often what is submitted is called; set by the button that submits. */
  const times = useRef(1);
  const approvals = useWaitingApprovals(agentId).filter(
    (approval) => approval.turnId === null && approval.tool === tool.name,
  );
  const busy = call.running || repeat.running;
  const problem = call.problem ?? (call.trace?.outcome === "executed" ? null : (call.trace?.problem ?? null));
  const send = (input: Config) => {
    if (times.current === 1) void call.call(input, straight);
    else void repeat.begin(input, straight, times.current);
  };
  const press = (count: number) => {
    times.current = count;
    submit.current?.click();
  };
  const mode = straight ? "straight" : "whole";
  const options = (["whole", "straight"] as const).map((value) => ({
    value,
    label: t(`callTool.mode.${value}`),
  }));
  return (
    <article aria-label={tool.title} className="space-y-4">
      <header>
        <h2 className="figure text-base leading-6 font-semibold">{tool.title}</h2>
        <ToolWords
          className="text-sm wrap-anywhere text-mute"
          name={tool.name}
          owner={owner}
          text={tool.description}
          ours={tool.reading ?? tool.passes}
        />
      </header>
      <ArgumentsForm args={args} problem={problem} submit={submit} onSend={send} />
      <div>
        <div className="flex flex-wrap items-center gap-2.5">
          <fieldset disabled={busy}>
            <legend className="sr-only">{t("callTool.mode")}</legend>
            <Segments value={mode} options={options} onChange={(next) => setStraight(next === "straight")} />
          </fieldset>
          {call.running ? (
            <Button icon={<Square className="size-3.5" aria-hidden="true" />} onClick={call.stop}>
              {t("callTool.stop")}
            </Button>
          ) : (
            <Button
              look="accent"
              disabled={busy}
              icon={<Play className="size-3.5" aria-hidden="true" />}
              onClick={() => press(1)}
            >
              {t("callTool.run")}
            </Button>
          )}
        </div>
        <p className="mt-1.5 text-xs text-mute">{t(`callTool.modeText.${mode}`)}</p>
      </div>
      {approvals.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} />
      ))}
      {call.running && (
        <section aria-label={t("callTool.progress")} className="rounded-md bg-sunk px-3 py-2">
          <p role="status" className="text-sm text-mute">
            {t(approvals.length > 0 ? "callTool.waits" : "callTool.running")}
          </p>
          {call.progress && (
            <pre className="figure mt-1 max-h-32 overflow-auto whitespace-pre-wrap">
              {cleanText(call.progress.split("\n").slice(-8).join("\n")).trimEnd()}
            </pre>
          )}
        </section>
      )}
      {problem && <ProblemNote problem={problem} />}
      {call.trace?.outcome === "executed" && call.trace.result && (
        <section aria-label={t("callTool.result")}>
          <h3 className="mb-1.5 text-sm font-semibold">{t("callTool.result")}</h3>
          <CallResult result={call.trace.result} />
        </section>
      )}
      {call.trace && (
        <section aria-label={t("callTool.pipeline")}>
          <h3 className="mb-1.5 text-sm font-semibold">{t("callTool.pipeline")}</h3>
          <CallSteps trace={call.trace} />
        </section>
      )}
      <RepeatPanel tool={tool} straight={straight} busy={busy} repeat={repeat} onBegin={press} />
    </article>
  );
}
