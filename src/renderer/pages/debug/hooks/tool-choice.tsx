import { useTranslation } from "react-i18next";
import { isObject } from "../../../../contract/is-object.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { schemaModel, withDefaults } from "../../../features/settings-form/public.ts";
import { Field } from "../../../ui/controls/field.tsx";
import { useAsked } from "../by-hand/use-asked.ts";
import { useContributionsVersion } from "../by-hand/use-contributions-version.ts";

interface ToolChoiceProps {
  agentId: string;
  /** The text of the payload, as it is typed. */
  payload: string;
  onPayload(payload: Record<string, unknown>): void;
}

/** The tool that an event is about: chosen from those of the agent, with the arguments that its schema has defaults for. */
export function ToolChoice({ agentId, payload, onPayload }: ToolChoiceProps) {
  const { t } = useTranslation();
  const version = useContributionsVersion(agentId);
  const { answer } = useAsked(version, (signal) => rpc.tools.list({ agentId }, { signal }));
  const current = parsed(payload);
  const name = typeof current?.toolName === "string" ? current.toolName : "";
  const tools = answer ?? [];
  const choose = (next: string) => {
    const tool = tools.find((one) => one.name === next);
    if (!tool || !current) return;
    onPayload({ ...current, toolName: next, args: withDefaults({}, schemaModel(tool.parameters)) });
  };
  return (
    <Field label={t("fire.tool")} className="w-60 max-w-full">
      {(control) => (
        <select
          {...control}
          className="field figure h-8"
          value={name}
          disabled={current === null}
          onChange={({ target }) => choose(target.value)}
        >
          {!tools.some((tool) => tool.name === name) && <option value={name}>{name}</option>}
          {tools.map((tool) => (
            <option key={tool.name} value={tool.name}>
              {tool.title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
