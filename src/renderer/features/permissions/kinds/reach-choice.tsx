import { useId } from "react";
import { cx } from "../../../ui/class-names.ts";

interface ReachChoiceProps<V extends string> {
  label: string;
  value: V;
  options: readonly { value: V; label: string; help: string }[];
  disabled?: boolean;
  onChange(value: V): void;
}

/** One of a few ways, side by side, with what the chosen one means below. */
export function ReachChoice<V extends string>({
  label,
  value,
  options,
  disabled,
  onChange,
}: ReachChoiceProps<V>) {
  const name = useId();
  return (
    <fieldset disabled={disabled} className="min-w-0">
      <legend className="mb-1.5 text-xs font-medium text-mute">{label}</legend>
      <div className="inline-flex max-w-full flex-wrap gap-0.5 rounded-md border border-line bg-sunk p-0.5">
        {options.map((option) => (
          <label
            key={option.value}
            className={cx(
              "relative inline-flex h-7 cursor-pointer items-center rounded-[6px] px-3 text-sm font-medium transition-colors",
              "has-focus-visible:outline-2 has-focus-visible:outline-[var(--focus)]",
              option.value === value ? "bg-surface text-ink shadow-card" : "text-mute hover:text-ink",
            )}
          >
            <input
              type="radio"
              name={name}
              className="absolute inset-0 cursor-pointer opacity-0"
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
      <p className="mt-1.5 text-sm text-mute">{options.find((option) => option.value === value)?.help}</p>
    </fieldset>
  );
}
