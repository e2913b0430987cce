import type { WidgetProps } from "@rjsf/utils";
import { useTranslation } from "react-i18next";

/** Up to this many choices are shown side by side; more become a list. */
const mostInSight = 4;

/** Which of several kinds of value a setting has. */
export function ChoiceWidget({ id, value, options, onChange, disabled, readonly, label }: WidgetProps) {
  const { t } = useTranslation();
  const choices = options.enumOptions ?? [];
  const name = t("field.kindOf", { name: label });
  const fixed = disabled || readonly;
  if (choices.length > mostInSight)
    return (
      <select
        id={id}
        className="field h-8 max-w-96"
        aria-label={name}
        disabled={fixed}
        value={value === undefined ? "" : String(value)}
        onChange={({ target }) => onChange(target.value === "" ? undefined : Number(target.value))}
      >
        {value === undefined && <option value="">{t("field.choose")}</option>}
        {choices.map((choice) => (
          <option key={String(choice.value)} value={String(choice.value)}>
            {choice.label}
          </option>
        ))}
      </select>
    );
  return (
    <div id={id} role="radiogroup" aria-label={name} className="flex flex-wrap gap-x-5 gap-y-1.5 py-1">
      {choices.map((choice) => (
        <label key={String(choice.value)} className="flex items-center gap-2 text-sm">
          <input
            type="radio"
            name={id}
            className="size-4 accent-(--accent)"
            disabled={fixed}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}
