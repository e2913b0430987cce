import { useTranslation } from "react-i18next";
import { cleanLine } from "../../../../contract/shown/clean-text.ts";
import type { ToolInfo } from "../../../../contract/tools/tool-info.ts";
import { useRuleWords } from "../../../features/policies/use-rule-words.ts";
import { Field } from "../../../ui/controls/field.tsx";

interface ToolSelectProps {
  tools: readonly Pick<ToolInfo, "name" | "title" | "owner">[];
  value: string;
  onChange(name: string): void;
}

/** One of the agent's tools, by the plugin that it belongs to. One that is not there now can stay chosen. */
export function ToolSelect({ tools, value, onChange }: ToolSelectProps) {
  const { t } = useTranslation();
  const words = useRuleWords();
  const groups = [...Map.groupBy(tools, (tool) => tool.owner)];
  return (
    <Field label={t("rules.form.tool")}>
      {(props) => (
        <select {...props} className="field" value={value} onChange={(event) => onChange(event.target.value)}>
          {!tools.some(({ name }) => name === value) && (
            <option value={value}>{t("rules.form.gone", { tool: cleanLine(value) })}</option>
          )}
          {groups.map(([owner, own]) => (
            <optgroup key={owner ?? ""} label={words.owner(owner)}>
              {own.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  );
}
