import { CircleCheck, Play } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { isObject } from "../../../../contract/is-object.ts";
import { cleanText } from "../../../../contract/shown/clean-text.ts";
import { formatMs } from "../../../base/i18n/time.ts";
import { ApprovalCard, useWaitingApprovals } from "../../../features/approvals/public.ts";
import { LackNote } from "../../../features/plugins/lack-note.tsx";
import type { Row } from "../../../model/rows.ts";
import { useMirror } from "../../../store/mirror.ts";
import { panels } from "../../../store/panels.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { useTrial } from "./use-trial.ts";

interface TryItProps {
  row: Row;
  agentName: string;
  onWorks(): void;
}

/** One real call of a tool of the plugin, by the agent where it has a model. Nothing for a plugin whose tools ask for more than a text. */
export function TryIt({ row, agentName, onWorks }: TryItProps) {
  const { t } = useTranslation();
  const hasModel = useMirror((state) => (state.agents.get(row.agentId)?.model.kind ?? "none") !== "none");
  const tool = row.view?.instance.contributions?.tools.find(
    ({ parameters }) => onlyTextOf(parameters) !== null,
  );
  const field = tool && onlyTextOf(tool.parameters);
  const [value, setValue] = useState<string | null>(null);
  const { trial, sessionId, run } = useTrial(onWorks);
  const approvals = useWaitingApprovals(row.agentId).filter(
    (approval) => sessionId !== null && approval.sessionId === sessionId,
  );
  if (!tool || !field) return null;
  const text = value ?? suggestedFor(field, row.view?.config);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const prompt = t("welcome.tryPrompt", { tool: tool.title, value: text });
    void run({
      agentId: row.agentId,
      tool: tool.name,
      input: { [field]: text },
      prompt: hasModel ? prompt : null,
    });
  };
  return (
    <section aria-label={t("welcome.tryTitle")} className="mt-4 space-y-3">
      <form onSubmit={submit} className="flex flex-wrap gap-2">
        <input
          className="field h-8 min-w-40 flex-1 font-mono text-sm"
          aria-label={t("welcome.tryField", { tool: tool.title })}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setValue(event.target.value)}
        />
        <Button
          type="submit"
          look={trial.state === "works" ? "plain" : "accent"}
          busy={trial.state === "busy"}
          disabled={text.trim() === ""}
          icon={<Play className="size-4" aria-hidden="true" />}
        >
          {hasModel ? t("welcome.tryAgent", { agent: agentName }) : t("welcome.tryCall")}
        </Button>
      </form>
      {approvals.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} />
      ))}
      {trial.state === "fails" && (
        <ProblemNote
          problem={trial.problem}
          action={
            trial.problem.code.startsWith("MODEL_") && (
              <Button size="sm" onClick={() => panels.editAgent(row.agentId, "model")}>
                {t("conversation.changeModel")}
              </Button>
            )
          }
        />
      )}
      {trial.state === "fails" && <LackNote row={row} />}
      {trial.state === "works" && (
        <div role="status" className="rounded-lg border border-ok/35 bg-ok-wash px-4 py-3 text-sm">
          <p className="flex items-center gap-2 font-semibold">
            <CircleCheck className="size-4 text-ok" aria-hidden="true" />
            {t("welcome.works")}
            <span className="font-normal text-mute">
              {t("welcome.worksTool", { tool: tool.title, time: formatMs(trial.ms) })}
            </span>
          </p>
          {trial.said && <p className="mt-1.5">{cleanText(trial.said)}</p>}
          <pre
            // Somebody without a mouse can scroll it, too.
            tabIndex={0}
            className="figure mt-1.5 max-h-28 overflow-auto break-words whitespace-pre-wrap text-mute"
          >
            {cleanText(trial.text)}
          </pre>
        </div>
      )}
    </section>
  );
}

/** The one field of a tool that needs nothing but a text; null where it needs more. */
function onlyTextOf(parameters: Record<string, unknown>): string | null {
  const { properties, required } = parameters;
  if (!isObject(properties) || !Array.isArray(required) || required.length !== 1) return null;
  const [name] = required;
  if (typeof name !== "string") return null;
  const property = properties[name];
  return isObject(property) && property.type === "string" ? name : null;
}

/** An address to begin with, where the field is one and the settings name hosts. */
function suggestedFor(field: string, config: unknown): string {
  if (!/ur[il]$/i.test(field) || !isObject(config)) return "";
  for (const part of Object.values(config)) {
    const hosts = isObject(part) ? part.allowedHosts : undefined;
    const host = Array.isArray(hosts) ? hosts[0] : undefined;
    if (typeof host === "string") return addressOf(host.replace(/^\*\./, "www."));
  }
  return "";
}

function addressOf(host: string): string {
  return /^(localhost|127\.|192\.168\.|10\.)/.test(host) ? `http://${host}/` : `https://${host}/`;
}
