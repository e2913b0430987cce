import { type KeyboardEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SuggestionRequest } from "../../../../contract/conversation/offered.ts";
import { cx } from "../../../ui/class-names.ts";
import { Field } from "../../../ui/controls/field.tsx";
import { useSuggestions } from "./use-suggestions.ts";

interface SuggestFieldProps {
  agentId: string;
  label: string;
  help?: string | undefined;
  error?: string | undefined;
  optional: boolean;
  value: string;
  onChange(value: string): void;
  /** Whose value it is, and what the other fields say. */
  of: Omit<SuggestionRequest, "value">;
  focused?: boolean;
}

/** A field in which any text can stand; what its plugin suggests is taken with the arrow keys and Enter, or with a click. */
export function SuggestField({
  agentId,
  label,
  help,
  error,
  optional,
  value,
  onChange,
  of,
  focused = false,
}: SuggestFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const found = useSuggestions(agentId, isOpen ? { ...of, value } : null);
  const values = found.filter((one) => one !== value);
  const isListed = isOpen && values.length > 0;
  const active = Math.min(chosen, values.length - 1);

  const take = (one: string) => {
    onChange(one);
    setOpen(false);
    setChosen(-1);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
      if (values.length === 0) return;
      const step = event.key === "ArrowDown" ? 1 : -1;
      setChosen(active < 0 && step < 0 ? values.length - 1 : (active + step + values.length) % values.length);
    } else if (event.key === "Enter" && isListed && values[active] !== undefined) {
      event.preventDefault();
      take(values[active]);
    } else if (event.key === "Escape") setOpen(false);
  };

  return (
    <Field label={label} help={help} error={error} optional={optional}>
      {(control) => (
        <div className="relative">
          <input
            {...control}
            // The first field of a form that was just opened.
            // biome-ignore lint/a11y/noAutofocus: the form was asked for, and is written into at once
            autoFocus={focused}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isListed}
            aria-controls={isListed ? id : undefined}
            aria-activedescendant={isListed && active >= 0 ? `${id}-${active}` : undefined}
            aria-required={!optional}
            autoComplete="off"
            spellCheck={false}
            className="field"
            value={value}
            onFocus={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onKeyDown={press}
            onChange={(event) => {
              onChange(event.target.value);
              setOpen(true);
              setChosen(-1);
            }}
          />
          {isListed && (
            <div
              id={id}
              role="listbox"
              aria-label={t("attachable.suggestions", { field: label })}
              className="mt-1 max-h-40 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-high"
            >
              {values.map((one, index) => (
                <div
                  key={one}
                  id={`${id}-${index}`}
                  ref={(element) => {
                    if (index === active) element?.scrollIntoView({ block: "nearest" });
                  }}
                  role="option"
                  aria-selected={index === active}
                  tabIndex={-1}
                  onPointerDown={(event) => {
                    event.preventDefault();
                    take(one);
                  }}
                  className={cx(
                    "cursor-default truncate rounded-sm px-2 py-1 text-sm hover:bg-sunk",
                    index === active && "bg-sunk",
                  )}
                >
                  {one}
                </div>
              ))}
            </div>
          )}
        </div>
      )}
    </Field>
  );
}
