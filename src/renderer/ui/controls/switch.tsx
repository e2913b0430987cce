import { cx } from "../class-names.ts";

interface SwitchProps {
  id?: string;
  checked: boolean;
  onChange(checked: boolean): void;
  label?: string;
  disabled?: boolean;
  /** Asked for, and not answered yet. */
  pending?: boolean;
  describedBy?: string;
  tabIndex?: number;
  /** Its place in a grid. */
  spot?: string;
}

export function Switch({
  id,
  checked,
  onChange,
  label,
  disabled,
  pending,
  describedBy,
  tabIndex,
  spot,
}: SwitchProps) {
  const state = checked ? "checked" : "unchecked";
  return (
    <button
      type="button"
      role="switch"
      id={id}
      aria-checked={checked}
      data-state={state}
      onClick={() => onChange(!checked)}
      disabled={disabled}
      aria-label={label}
      aria-describedby={describedBy}
      tabIndex={tabIndex}
      data-spot={spot}
      aria-busy={pending || undefined}
      className={cx(
        "relative h-5 w-9 shrink-0 rounded-full transition-colors disabled:opacity-50",
        "data-[state=checked]:bg-ok data-[state=unchecked]:bg-off",
        pending && "opacity-70",
      )}
    >
      <span
        data-state={state}
        className="block size-4 translate-x-0.5 rounded-full bg-knob shadow-sm transition-transform duration-150 data-[state=checked]:translate-x-[18px]"
      />
    </button>
  );
}
