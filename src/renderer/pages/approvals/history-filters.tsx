import { useTranslation } from "react-i18next";
import { useShallow } from "zustand/react/shallow";
import type { Approval } from "../../../contract/agent.ts";
import { useMirror } from "../../store/mirror.ts";
import { builtIn, type HistoryFilter, outcomes } from "./history.ts";

interface HistoryFiltersProps {
  history: Approval[];
  filter: HistoryFilter;
  onChange(filter: HistoryFilter): void;
}

/** By agent, plugin and outcome; only what occurs is offered. */
export function HistoryFilters({ history, filter, onChange }: HistoryFiltersProps) {
  const { t } = useTranslation();
  const agents = [...new Set(history.map((approval) => approval.agentId))];
  const owners = [...new Set(history.map((approval) => approval.owner ?? builtIn))];
  const agentNames = useMirror(useShallow((state) => agents.map((id) => state.agents.get(id)?.name ?? id)));
  const pluginNames = useMirror(
    useShallow((state) => owners.map((key) => state.plugins.get(key)?.displayName ?? key)),
  );
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{t("history.filter")}</legend>
      <Choice
        label={t("history.agent")}
        all={t("history.anyAgent")}
        value={filter.agent}
        onChange={(agent) => onChange({ ...filter, agent })}
        options={agents.map((id, index) => [id, agentNames[index] ?? id])}
      />
      <Choice
        label={t("history.plugin")}
        all={t("history.anyPlugin")}
        value={filter.plugin}
        onChange={(plugin) => onChange({ ...filter, plugin })}
        options={owners.map((key, index) => [
          key,
          key === builtIn ? t("history.builtIn") : (pluginNames[index] ?? key),
        ])}
      />
      <Choice
        label={t("history.outcome")}
        all={t("history.anyOutcome")}
        value={filter.outcome}
        onChange={(value) =>
          onChange({ ...filter, outcome: outcomes.find((outcome) => outcome === value) ?? "" })
        }
        options={outcomes.map((outcome) => [outcome, t(`history.status.${outcome}`)])}
      />
    </fieldset>
  );
}

interface ChoiceProps {
  label: string;
  all: string;
  value: string;
  options: [value: string, label: string][];
  onChange(value: string): void;
}

function Choice({ label, all, value, options, onChange }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      className="field h-8 w-auto py-0 text-sm"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{all}</option>
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
}
