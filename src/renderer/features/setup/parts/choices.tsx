import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SetupField } from "../../../../contract/setup.ts";

/** From so many choices on, there is a field to search them. */
const SEARCHED_FROM = 9;

interface ChoicesProps {
  control: { id: string; "aria-describedby": string | undefined };
  field: SetupField;
  /** The values that are picked, with commas between them. */
  value: string;
  onChange(value: string): void;
}

/** Some of a list, in the order of the list. */
export function Choices({ control, field, value, onChange }: ChoicesProps) {
  const { t } = useTranslation();
  const [sought, setSought] = useState("");
  const { label, options = [] } = field;
  const picked = new Set(value.split(","));
  const shown = options.filter(
    (option) => picked.has(option.value) || option.label.toLowerCase().includes(sought.trim().toLowerCase()),
  );
  const pick = (chosen: string, on: boolean) => {
    const rest = options.filter((option) => (option.value === chosen ? on : picked.has(option.value)));
    onChange(rest.map((option) => option.value).join(","));
  };
  return (
    <fieldset id={control.id} aria-describedby={control["aria-describedby"]} aria-label={label}>
      {options.length >= SEARCHED_FROM && (
        <input
          type="search"
          className="field mb-2 h-9"
          aria-label={t("setup.findChoice")}
          placeholder={t("setup.findChoice")}
          value={sought}
          onChange={(event) => setSought(event.target.value)}
        />
      )}
      <div className="max-h-56 space-y-0.5 overflow-y-auto rounded-lg border border-line bg-sunk p-1.5">
        {shown.map((option) => (
          <label
            key={option.value}
            className="flex items-start gap-2.5 rounded-md px-2 py-1.5 text-sm hover:bg-surface"
          >
            <input
              type="checkbox"
              className="mt-0.5 size-4 shrink-0 accent-[var(--accent)]"
              checked={picked.has(option.value)}
              onChange={(event) => pick(option.value, event.target.checked)}
            />
            <span className="min-w-0">
              <span className="break-words">{option.label}</span>
              {option.help && <span className="block text-xs break-words text-mute">{option.help}</span>}
            </span>
          </label>
        ))}
        {shown.length === 0 && <p className="px-2 py-1.5 text-sm text-mute">{t("setup.noChoice")}</p>}
      </div>
    </fieldset>
  );
}
