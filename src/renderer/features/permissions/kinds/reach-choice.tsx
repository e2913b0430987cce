import { Segments } from "../../../ui/controls/segments.tsx";

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
  return (
    <fieldset disabled={disabled} className="min-w-0">
      <legend className="mb-1.5 text-xs font-medium text-mute">{label}</legend>
      <Segments value={value} options={options} onChange={onChange} />
      <p className="mt-1.5 text-sm text-mute">{options.find((option) => option.value === value)?.help}</p>
    </fieldset>
  );
}
