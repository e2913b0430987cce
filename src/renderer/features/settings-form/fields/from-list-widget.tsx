import type { WidgetProps } from "@rjsf/utils";
import { useTranslation } from "react-i18next";
import { choicesFrom } from "../values/hints.ts";
import { controlProps } from "./widget-props.ts";

/** A value that is chosen from a list elsewhere in the same settings. One that is not there any more stays until it is changed. */
export function FromListWidget(props: WidgetProps & { from: string }) {
  const { t } = useTranslation();
  const { value, onChange, options, registry, from } = props;
  const listed = choicesFrom(registry.formContext?.settings, from);
  const chosen = typeof value === "string" ? value : "";
  if (listed.length === 0 && chosen === "")
    return (
      <p id={props.id} className="py-1.5 text-sm text-mute">
        {t("list.nothingToChoose")}
      </p>
    );
  const choices = chosen === "" || listed.includes(chosen) ? listed : [...listed, chosen];
  return (
    <select
      {...controlProps(props)}
      className="field h-8"
      value={chosen}
      onChange={({ target }) => onChange(target.value === "" ? options.emptyValue : target.value)}
    >
      {chosen === "" && <option value="">{t("field.choose")}</option>}
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {listed.includes(choice) ? choice : t("list.notListed", { name: choice })}
        </option>
      ))}
    </select>
  );
}
