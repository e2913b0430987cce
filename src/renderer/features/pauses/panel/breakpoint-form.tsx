import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { parseCondition } from "../../../../contract/pauses/condition.ts";
import { type Breakpoint, type PausePlace, pausePlaceSchema } from "../../../../contract/pauses/pauses.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { useMirror } from "../../../store/mirror.ts";
import { useAction } from "../../../ui/action.ts";
import { Field } from "../../../ui/controls/field.tsx";
import { FormButtons } from "../../../ui/controls/form-parts.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { eventWords } from "../pause-words.ts";
import { useNames } from "../use-names.ts";

type Draft = Omit<Breakpoint, "id" | "agentId" | "hits" | "slow">;

const empty: Draft = {
  name: "",
  where: "tool",
  tool: null,
  plugin: null,
  event: null,
  condition: null,
  enabled: true,
};

/** What conditions can read at each place, and one to begin from. */
const facts: Record<PausePlace, { fields: string; example: string }> = {
  tool: { fields: "tool, title, plugin, args, caller", example: 'args.command contains "rm"' },
  result: {
    fields: "result, isError, ms, tool, plugin, args",
    example: 'isError or result contains "denied"',
  },
  model: { fields: "text, system, messages, model", example: "text matches /invoice \\d+/i" },
  hook: { fields: "event, plugin, payload", example: 'text contains "please"' },
};

const save = async (agentId: string, id: string | null, draft: Draft) =>
  id === null
    ? rpc.breakpoints.add({ agentId, ...draft })
    : rpc.breakpoints.change({ agentId, id, ...draft });

interface BreakpointFormProps {
  agentId: string;
  /** Null: a new one. */
  breakpoint: Breakpoint | null;
  onClose(): void;
}

/** Where a turn is to be stopped. A condition that cannot be read says where it is wrong while it is written. */
export function BreakpointForm({ agentId, breakpoint, onClose }: BreakpointFormProps) {
  const { t } = useTranslation();
  const nameOf = useNames();
  const [draft, setDraft] = useState<Draft>(breakpoint ? draftOf(breakpoint) : empty);
  const [isSent, setSent] = useState(false);
  const saving = useAction(save);
  const contributions = useContributions(agentId);
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const { where, condition } = draft;
  const isTool = where === "tool" || where === "result";
  const fault = faultOf(condition, t);
  const send = async (event: SyntheticEvent) => {
    event.preventDefault();
    setSent(true);
    if (fault) return;
    const { tool, plugin, event: told } = draft;
    const fitting = {
      ...draft,
      tool: isTool ? tool : null,
      plugin: where === "model" ? null : plugin,
      event: where === "hook" ? told : null,
    };
    if (await saving.act(agentId, breakpoint?.id ?? null, fitting)) onClose();
  };
  return (
    <form onSubmit={(event) => void send(event)} className="space-y-4 pt-1">
      <Field label={t("breakpoints.field.where")}>
        {(props) => (
          <select
            {...props}
            className="field"
            value={where}
            onChange={(event) => set({ where: pausePlaceSchema.parse(event.target.value) })}
          >
            {pausePlaceSchema.options.map((one) => (
              <option key={one} value={one}>
                {t(`breakpoints.where.${one}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {isTool && (
        <Field label={t("breakpoints.field.tool")} help={t("breakpoints.field.toolHint")}>
          {(props) => (
            <input
              {...props}
              className="field figure"
              value={draft.tool ?? ""}
              onChange={(event) => set({ tool: event.target.value.trim() || null })}
            />
          )}
        </Field>
      )}
      {where === "hook" && (
        <Choice
          label={t("breakpoints.field.event")}
          any={t("breakpoints.anyEvent")}
          options={contributions.events.map((one) => [one, eventWords(one)])}
          value={draft.event}
          onChange={(event) => set({ event })}
        />
      )}
      {where !== "model" && (
        <Choice
          label={t("breakpoints.field.plugin")}
          any={t("breakpoints.anyPlugin")}
          options={contributions.plugins.map((key) => [key, nameOf(key)])}
          value={draft.plugin}
          onChange={(plugin) => set({ plugin })}
        />
      )}
      <Field
        label={t("breakpoints.field.condition")}
        optional
        error={fault && (isSent || condition !== null) ? fault : undefined}
        help={
          <>
            {t("breakpoints.help.fields", { fields: facts[where].fields })}{" "}
            <code className="figure text-ink">{facts[where].example}</code>
            <br />
            {t("breakpoints.help.words")}
          </>
        }
      >
        {(props) => (
          <input
            {...props}
            className="field figure"
            spellCheck={false}
            value={condition ?? ""}
            onChange={(event) => set({ condition: event.target.value || null })}
          />
        )}
      </Field>
      <Field label={t("breakpoints.field.name")} optional>
        {(props) => (
          <input
            {...props}
            className="field"
            maxLength={80}
            value={draft.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </Field>
      {saving.problem && <ProblemNote problem={saving.problem} />}
      <FormButtons
        verb={t(breakpoint ? "breakpoints.save" : "breakpoints.addOne")}
        busy={saving.busy}
        onClose={onClose}
      />
    </form>
  );
}

interface ChoiceProps {
  label: string;
  any: string;
  options: [value: string, label: string][];
  value: string | null;
  onChange(value: string | null): void;
}

function Choice({ label, any, options, value, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      {(props) => (
        <select
          {...props}
          className="field"
          value={value ?? ""}
          onChange={(event) => onChange(event.target.value || null)}
        >
          <option value="">{any}</option>
          {options.map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function draftOf({ id: _id, agentId: _agent, hits: _hits, slow: _slow, ...draft }: Breakpoint): Draft {
  return draft;
}

/** What is wrong with a condition, and where, in words. */
function faultOf(condition: string | null, t: ReturnType<typeof useTranslation>["t"]): string | undefined {
  if (condition === null || condition.trim() === "") return undefined;
  const parsed = parseCondition(condition);
  if (parsed.ok) return undefined;
  const { fault, at, length } = parsed.trouble;
  const says = t(`breakpoints.fault.${fault}`);
  const text = condition.slice(at, at + length).trim();
  return text === "" ? says : t("breakpoints.faultAt", { fault: says, text });
}

/** The plugins of an agent that run, and the events that their hooks listen to. */
function useContributions(agentId: string): { plugins: string[]; events: string[] } {
  const rows = useMirror((state) => state.agentPlugins);
  const own = [...rows.values()].filter((row) => row.agentId === agentId && row.instance.contributions);
  const events = own.flatMap(({ instance }) => instance.contributions?.hooks.map(({ event }) => event) ?? []);
  return { plugins: own.map(({ pluginKey }) => pluginKey).sort(), events: [...new Set(events)].sort() };
}
