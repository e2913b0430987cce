import { Check, Minus, X } from "lucide-react";
import { cx } from "../class-names.ts";
import { Spinner } from "../spinner.tsx";

/** How a step went, or where it stands: `current` waits for the person, `busy` is being worked on. */
export type StepLook = "done" | "failed" | "skipped" | "busy" | "current" | "next";

/** The mark before one step of several. `place` counts from 1. */
export function StepMark({ look, place }: { look: StepLook; place: number }) {
  const base = "grid size-5 shrink-0 place-items-center rounded-full text-[11px] leading-none font-bold";
  switch (look) {
    case "done":
      return (
        <span className={cx(base, "bg-ok text-surface")}>
          <Check className="size-3" strokeWidth={3.5} aria-hidden="true" />
        </span>
      );
    case "failed":
      return (
        <span className={cx(base, "bg-bad text-surface")}>
          <X className="size-3" strokeWidth={3.5} aria-hidden="true" />
        </span>
      );
    case "skipped":
      return (
        <span className={cx(base, "border-2 border-line text-hint")}>
          <Minus className="size-3" aria-hidden="true" />
        </span>
      );
    case "busy":
      return <Spinner className="size-5 shrink-0 text-accent" />;
    case "current":
      return <span className={cx(base, "border-2 border-accent text-accent")}>{place}</span>;
    case "next":
      return <span className={cx(base, "border-2 border-line bg-surface text-hint")}>{place}</span>;
  }
}
