import type { ButtonHTMLAttributes, ReactNode } from "react";
import { cx } from "../class-names.ts";
import { Spinner } from "../spinner.tsx";
import { useNextStep } from "./next-step.ts";

type Look = "accent" | "plain" | "quiet" | "danger";

const looks: Record<Look, string> = {
  accent:
    "bg-accent text-on-accent border border-transparent enabled:hover:bg-accent-hover shadow-[inset_0_1px_0_rgb(255_255_255/18%)]",
  plain: "bg-surface text-ink border border-line-strong enabled:hover:bg-sunk enabled:hover:border-faint",
  quiet: "text-mute border border-transparent enabled:hover:bg-sunk enabled:hover:text-ink",
  danger: "bg-surface text-bad border border-line-strong enabled:hover:bg-bad-wash enabled:hover:border-bad",
};

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `accent`: it is the next step. Where a screen has several, only the first of them is drawn so. */
  look?: Look;
  /** Of several next steps this one: it waits for the person, or keeps what they have begun. */
  ahead?: boolean;
  size?: "sm" | "md";
  icon?: ReactNode;
  /** Shows that the action is under way, and ignores further presses. */
  busy?: boolean;
}

export function Button({
  look = "plain",
  size = "md",
  icon,
  busy,
  ahead,
  children,
  className,
  ...rest
}: ButtonProps) {
  const { ref, isNext } = useNextStep<HTMLButtonElement>({
    wanted: look === "accent",
    ahead,
    disabled: rest.disabled,
  });
  return (
    <button
      ref={ref}
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={cx(
        "inline-flex shrink-0 items-center justify-center gap-2 rounded-md font-semibold whitespace-nowrap transition-colors disabled:opacity-55",
        size === "md" ? "h-8 px-3 text-sm" : "h-7 px-2.5 text-xs",
        looks[look === "accent" && !isNext ? "plain" : look],
        className,
      )}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Read out, and shown as a hint. */
  label: string;
}

export function IconButton({ label, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={cx(
        "inline-grid size-8 shrink-0 place-items-center rounded-md text-mute transition-colors hover:bg-sunk hover:text-ink disabled:opacity-40",
        className,
      )}
    >
      {children}
    </button>
  );
}

/** An action inside running text. */
export function TextButton({ className, ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(
        "rounded-sm font-medium text-ink underline decoration-line-strong underline-offset-3 transition-colors hover:decoration-accent",
        className,
      )}
    />
  );
}
