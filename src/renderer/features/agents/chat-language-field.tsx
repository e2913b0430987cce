import { useTranslation } from "react-i18next";
import { type ChatLanguage, chatLanguageSchema } from "../../../contract/agent.ts";
import { Field } from "../../ui/controls/field.tsx";

interface ChatLanguageFieldProps {
  value: ChatLanguage;
  onChange(value: ChatLanguage): void;
}

/** In which language the agent's channels and commands speak by themselves. */
export function ChatLanguageField({ value, onChange }: ChatLanguageFieldProps) {
  const { t } = useTranslation();
  return (
    <Field label={t("agents.chatLanguage")} help={t("agents.chatLanguageHelp")}>
      {(props) => (
        <select
          {...props}
          className="field"
          value={value}
          onChange={(event) => onChange(event.target.value as ChatLanguage)}
        >
          {chatLanguageSchema.options.map((language) => (
            <option key={language} value={language}>
              {t(`agents.chatLanguage.${language}`)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
