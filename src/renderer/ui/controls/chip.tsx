import type { ReactNode } from "react";
import { cx } from "../class-names.ts";

interface ChipProps {
  on: boolean;
  onPress(): void;
  count?: number | string;
  children: ReactNode;
}

/** One of several ways to narrow a list; pressed while it does. */
export function Chip({ on, onPress, count, children }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onPress}
      className={cx(
        "inline-flex h-[26px] items-center gap-1.5 rounded-full border px-2.5 text-xs font-medium transition-colors",
        on
          ? "border-ink bg-ink text-bg"
          : "border-line-strong text-mute hover:border-faint hover:bg-surface hover:text-ink",
      )}
    >
      {children}
      {count !== undefined && <span className={on ? "opacity-80" : "text-hint"}>{count}</span>}
    </button>
  );
}
