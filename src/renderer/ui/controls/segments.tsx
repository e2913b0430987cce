import { useId } from "react";
import { cx } from "../class-names.ts";

interface SegmentsProps<V extends string> {
  value: V;
  options: readonly { value: V; label: string }[];
  size?: "sm" | "md";
  onChange(value: V): void;
}

/** One of a few choices, side by side; stands in a fieldset whose legend names them. */
export function Segments<V extends string>({ value, options, size = "md", onChange }: SegmentsProps<V>) {
  const name = useId();
  return (
    <div className="inline-flex max-w-full flex-wrap gap-0.5 rounded-md border border-line bg-sunk p-0.5">
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            "relative inline-flex cursor-pointer items-center rounded-[6px] border px-3 font-medium transition-colors",
            "has-focus-visible:outline-2 has-focus-visible:outline-[var(--focus)]",
            size === "md" ? "h-7 text-sm" : "h-6 text-xs",
            option.value === value
              ? "border-line-strong bg-raised text-ink"
              : "border-transparent text-mute hover:text-ink",
          )}
        >
          <input
            type="radio"
            name={name}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
