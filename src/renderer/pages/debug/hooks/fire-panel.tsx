import { Zap } from "lucide-react";
import { lazy, type Ref, type RefObject, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { firedHookSchema } from "../../../../contract/by-hand/by-hand.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { PluginQuestion, useOpenDialogs } from "../../../features/approvals/public.ts";
import { announce } from "../../../ui/announce.tsx";
import { Button } from "../../../ui/controls/button.tsx";
import { Field } from "../../../ui/controls/field.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { plainEvent } from "../by-hand/hook-step.tsx";
import { eventNames, examplePayloads, isAboutTool } from "./example-payloads.ts";
import { type Fired, FiredView } from "./fired-view.tsx";
import { ToolChoice } from "./tool-choice.tsx";

/** Loaded only when it is opened: the editor is large. */
const JsonText = lazy(async () => ({
  default: (await import("../../../features/settings-form/json/json-text.tsx")).JsonText,
}));

interface FirePanelProps {
  ref: Ref<HTMLElement>;
  agentId: string;
  event: string;
  onEvent(event: string): void;
  /** The hooks were asked. */
  onFired(): void;
}

/** An event fired by hand with an edited payload, without a model: what each hook did to it. */
export function FirePanel({ ref, agentId, event, onEvent, onFired }: FirePanelProps) {
  const { t } = useTranslation();
  /** What was typed for each event. */
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [state, setState] = useState<{ running: boolean; fired: Fired | null; problem: ShownProblem | null }>(
    {
      running: false,
      fired: null,
      problem: null,
    },
  );
  const check: RefObject<(() => boolean) | null> = useRef(null);
  const dialogs = useOpenDialogs(agentId);
  const text = typed[event] ?? laidOut(examplePayloads[event] ?? {});
  const put = (next: string) => setTyped((before) => ({ ...before, [event]: next }));

  const fire = async () => {
    if (check.current?.()) return announce(t("callTool.wrong"));
    const input = JSON.parse(text) as Record<string, unknown>;
    setState({ running: true, fired: null, problem: null });
    try {
      const answer = await rpc.hooks.fire({ agentId, event, input });
      setState({ running: false, fired: { ...answer, event, before: input }, problem: null });
    } catch (error) {
      const { details: { hooks, ...details } = {}, ...problem } = problemOf(error);
      const parsed = firedHookSchema.array().safeParse(hooks);
      const fired = parsed.success
        ? { hooks: parsed.data, denied: null, payload: undefined, event, before: input }
        : null;
      setState({ running: false, fired, problem: { ...problem, details } });
    }
    onFired();
  };

  return (
    <section ref={ref} aria-label={t("fire.title")} className="mt-6 scroll-mt-2 border-t border-line pt-4">
      <h2 className="text-base font-semibold">{t("fire.title")}</h2>
      <p className="mt-0.5 mb-3 text-sm text-mute">{t("fire.text")}</p>
      <div className="flex flex-wrap items-end gap-3">
        <Field label={t("fire.event")} className="w-72 max-w-full">
          {(control) => (
            <select
              {...control}
              className="field figure h-8"
              value={event}
              onChange={({ target }) => onEvent(target.value)}
            >
              {eventNames.map((name) => (
                <option key={name} value={name}>
                  {plainEvent(name)}
                </option>
              ))}
            </select>
          )}
        </Field>
        {isAboutTool(event) && (
          <ToolChoice agentId={agentId} payload={text} onPayload={(next) => put(laidOut(next))} />
        )}
      </div>
      <div className="mt-3">
        <Suspense fallback={<Spinner className="m-6 text-mute" />}>
          <JsonText
            key={event}
            text={text}
            label={t("fire.payload")}
            help={t("fire.payloadHelp")}
            schema={null}
            check={check}
            onChange={put}
          />
        </Suspense>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button
          look="accent"
          busy={state.running}
          icon={<Zap className="size-3.5" aria-hidden="true" />}
          onClick={() => void fire()}
        >
          {t("fire.fire")}
        </Button>
        <p className="min-w-48 flex-1 text-xs text-warn">{t("fire.real")}</p>
      </div>
      {state.running && dialogs.map((dialog) => <PluginQuestion key={dialog.id} dialog={dialog} />)}
      {state.problem && <ProblemNote className="mt-4" problem={state.problem} />}
      {state.fired && <FiredView fired={state.fired} />}
    </section>
  );
}

function laidOut(payload: object): string {
  return JSON.stringify(payload, null, 2);
}
