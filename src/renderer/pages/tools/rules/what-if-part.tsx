import { Ban, Check, CircleHelp } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Caller, PolicyEffect } from "../../../../contract/agent.ts";
import { isObject } from "../../../../contract/is-object.ts";
import { callerKey, type Explanation } from "../../../../contract/permissions/explanation.ts";
import type { ToolRight } from "../../../../contract/permissions/tool-rights.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { problemLine } from "../../../base/i18n/problem-words.ts";
import { JudgementLines } from "../../../features/policies/judgement-lines.tsx";
import { useRuleWords } from "../../../features/policies/use-rule-words.ts";
import { cx } from "../../../ui/class-names.ts";
import { Field } from "../../../ui/controls/field.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { ToolSelect } from "./tool-select.tsx";

interface WhatIfPartProps {
  agentId: string;
  tools: readonly ToolRight[];
  callers: readonly Caller[];
  /** Changes when the rules do. */
  version: unknown;
}

/** Tries a call without running it: a tool, whoever asks, and arguments where they matter. */
export function WhatIfPart({ agentId, tools, callers, version }: WhatIfPartProps) {
  const { t } = useTranslation();
  const words = useRuleWords();
  const [tool, setTool] = useState(tools[0]?.name ?? "");
  const [who, setWho] = useState("owner");
  const [typed, setTyped] = useState("");
  const caller = callers.find((one) => callerKey(one) === who) ?? { kind: "owner" as const };
  const given = argumentsIn(typed);
  const { explanation, problem } = useExplanation(agentId, { name: tool, caller, given, version });
  return (
    <>
      <p className="mb-4 text-sm text-mute">{t("whatIf.intro")}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <ToolSelect tools={tools} value={tool} onChange={setTool} />
        <Field label={t("whatIf.who")}>
          {(props) => (
            <select {...props} className="field" value={who} onChange={(event) => setWho(event.target.value)}>
              {callers.map((one) => (
                <option key={callerKey(one)} value={callerKey(one)}>
                  {capital(words.who(one))}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          className="sm:col-span-2"
          label={t("whatIf.arguments")}
          optional
          error={given === "bad" ? t("whatIf.notJson") : undefined}
        >
          {(props) => (
            <textarea
              {...props}
              rows={3}
              spellCheck={false}
              className="field resize-y font-mono text-sm"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
      </div>
      {problem && <ProblemNote className="mt-5" problem={problem} />}
      {explanation && !problem && (
        <Answer explanation={explanation} hasArguments={given !== null && given !== "bad"} />
      )}
    </>
  );
}

const looks: Record<PolicyEffect, { icon: typeof Check; tone: string }> = {
  allow: { icon: Check, tone: "bg-ok-wash text-ok" },
  ask: { icon: CircleHelp, tone: "bg-warn-wash text-warn" },
  deny: { icon: Ban, tone: "bg-bad-wash text-bad" },
};

function Answer({ explanation, hasArguments }: { explanation: Explanation; hasArguments: boolean }) {
  const { t } = useTranslation();
  const words = useRuleWords();
  const { judgement, offered, hooks, missing, problem } = explanation;
  const { icon: Icon, tone } = looks[judgement.effect];
  const named = (keys: string[]) => keys.map((key) => words.owner(key)).join(", ");
  const isRefused = judgement.effect === "deny";
  return (
    <section
      aria-label={t("whatIf.answer")}
      aria-live="polite"
      className="mt-5 rounded-lg border border-line bg-surface px-4 py-3.5 shadow-card"
    >
      <h2 className="flex items-center gap-3 font-semibold">
        <span className={cx("grid size-7 shrink-0 place-items-center rounded-full", tone)}>
          <Icon className="size-4" aria-hidden="true" />
        </span>
        {t(`why.would.${judgement.effect}`)}
      </h2>
      <div className="mt-2.5 space-y-2 pl-10 text-sm">
        <JudgementLines judgement={judgement} tool={explanation.tool} title={explanation.title} />
        {!offered && !isRefused && <p className="text-mute">{t("whatIf.notOffered")}</p>}
        {problem && <p className="text-bad">{problemLine(problem)}</p>}
        {!problem && hasArguments && <p className="text-mute">{t("whatIf.argumentsFit")}</p>}
        {!isRefused && missing.length > 0 && (
          <p className="text-bad">{t("whatIf.missing", { plugins: named(missing) })}</p>
        )}
        {!isRefused && (
          <p className="text-mute">
            {hooks.length > 0
              ? t("whatIf.hooks", { count: hooks.length, plugins: named(hooks) })
              : t("whatIf.noHooks")}
          </p>
        )}
      </div>
    </section>
  );
}

type Given = Record<string, unknown> | null | "bad";

/** Null: nothing was typed. */
function argumentsIn(typed: string): Given {
  if (typed.trim() === "") return null;
  try {
    const value: unknown = JSON.parse(typed);
    return isObject(value) ? value : "bad";
  } catch {
    return "bad";
  }
}

interface Asked {
  name: string;
  caller: Caller;
  given: Given;
  version: unknown;
}

/** What the core says of the call, asked again with each change. */
function useExplanation(agentId: string, { name, caller, given, version }: Asked) {
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const asked = JSON.stringify({
    name,
    caller,
    ...(given !== null && given !== "bad" && { arguments: given }),
  });
  useEffect(() => {
    // New rules are a reason to ask again.
    void version;
    const life = new AbortController();
    const question = JSON.parse(asked) as { name: string; caller: Caller };
    if (question.name === "") return;
    rpc.policies.explain({ agentId, ...question }, { signal: life.signal }).then(
      (said) => {
        setExplanation(said);
        setProblem(null);
      },
      (error: unknown) => {
        if (!life.signal.aborted) setProblem(problemOf(error));
      },
    );
    return () => life.abort();
  }, [agentId, asked, version]);
  return { explanation, problem };
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
