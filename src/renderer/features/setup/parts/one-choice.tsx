import { useTranslation } from "react-i18next";
import type { SetupField } from "../../../../contract/setup.ts";

/** Up to this many choices are shown side by side; more become a list. */
const mostInSight = 4;

interface OneChoiceProps {
  control: { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean | undefined };
  field: SetupField;
  value: string;
  onChange(value: string): void;
}

/** One of a list. */
export function OneChoice({ control, field, value, onChange }: OneChoiceProps) {
  const { t } = useTranslation();
  const { key, label, options = [], required } = field;
  // What need not be chosen must be left out again, which dots cannot.
  const isShort = options.length <= mostInSight && (required === true || field.default !== undefined);
  if (!isShort)
    return (
      <select
        {...control}
        name={key}
        className="field h-9"
        aria-required={required ?? false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        {(value === "" || required !== true) && <option value="">{t("field.choose")}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    );
  return (
    <div
      id={control.id}
      role="radiogroup"
      aria-label={label}
      aria-describedby={control["aria-describedby"]}
      aria-invalid={control["aria-invalid"]}
      className="flex flex-wrap gap-x-5 gap-y-1.5 py-1"
    >
      {options.map((option) => (
        <label key={option.value} className="flex items-start gap-2 text-sm">
          <input
            type="radio"
            name={key}
            className="mt-0.5 size-4 shrink-0 accent-(--accent)"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className="min-w-0">
            <span className="break-words">{option.label}</span>
            {option.help && <span className="block text-xs break-words text-mute">{option.help}</span>}
          </span>
        </label>
      ))}
    </div>
  );
}
