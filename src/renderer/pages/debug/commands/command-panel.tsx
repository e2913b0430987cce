import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CommandInfo } from "../../../../contract/agent-plugin.ts";
import { cleanText } from "../../../../contract/shown/clean-text.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { formatMs } from "../../../base/i18n/time.ts";
import { PluginQuestion, useOpenDialogs } from "../../../features/approvals/public.ts";
import { useChosenSession } from "../../../store/chosen-session.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { Field } from "../../../ui/controls/field.tsx";
import { Segments } from "../../../ui/controls/segments.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";

interface CommandPanelProps {
  agentId: string;
  command: CommandInfo;
}

/** One command: its arguments, where it runs, and what it answered. */
export function CommandPanel({ agentId, command }: CommandPanelProps) {
  const { t } = useTranslation();
  const sessionId = useChosenSession(agentId);
  const [args, setArgs] = useState("");
  const [wanted, setWanted] = useState<"open" | "none">("open");
  const [answer, setAnswer] = useState<{ output: string; ms: number } | null>(null);
  const dialogs = useOpenDialogs(agentId);
  const place = sessionId === null ? "none" : wanted;
  const run = useAction(async () => {
    setAnswer(null);
    const since = performance.now();
    const text = `/${command.name}${args.trim() === "" ? "" : ` ${args.trim()}`}`;
    const at = place === "open" && sessionId !== null ? { sessionId } : {};
    const output = command.prompt
      ? await answerTo({ agentId, text, ...at })
      : (await rpc.commands.run({ agentId, text, ...at })).output;
    setAnswer({ output, ms: performance.now() - since });
  });
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    void run.act();
  };
  const options = (["open", "none"] as const).map((value) => ({
    value,
    label: t(`commandsTab.place.${value}`),
  }));
  return (
    <div className="pb-4">
      <form onSubmit={send} className="flex flex-wrap items-end gap-3">
        <Field label={t("commandsTab.args")} optional className="min-w-52 flex-1">
          {(control) => (
            <input
              {...control}
              className="field figure h-8"
              autoComplete="off"
              spellCheck={false}
              placeholder={command.argsHint}
              value={args}
              onChange={({ target }) => setArgs(target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="accent" busy={run.busy}>
          {t("commandsTab.run", { command: command.name })}
        </Button>
      </form>
      <fieldset className="mt-2.5" disabled={sessionId === null}>
        <legend className="sr-only">{t("commandsTab.place")}</legend>
        <Segments<"open" | "none"> size="sm" value={place} options={options} onChange={setWanted} />
      </fieldset>
      {run.busy && dialogs.map((dialog) => <PluginQuestion key={dialog.id} dialog={dialog} />)}
      {run.problem && <ProblemNote className="mt-3" problem={run.problem} />}
      {answer && (
        <section aria-label={t("commandsTab.output")} className="mt-3 rounded-md bg-sunk">
          <pre
            // What scrolls is reached by the keyboard.
            tabIndex={0}
            className="figure max-h-72 overflow-auto px-3 py-2 wrap-anywhere whitespace-pre-wrap focus-visible:-outline-offset-2"
          >
            {cleanText(answer.output) || t("commandsTab.nothing")}
          </pre>
          <div className="flex items-center justify-between border-t border-line py-0.5 pr-1 pl-3">
            <span className="figure text-mute">{formatMs(answer.ms)}</span>
            <CopyButton text={() => answer.output} />
          </div>
        </section>
      )}
    </div>
  );
}

/** What the agent says to the message that a prompt becomes. */
async function answerTo(message: { agentId: string; text: string; sessionId?: string }): Promise<string> {
  let said = "";
  for await (const event of await rpc.sessions.prompt(message))
    if (event.type === "turn_ended") said = event.problem ? event.problem.message : event.text;
  return said;
}
