import type { ReactNode } from "react";

/** Chips in groups with a line between them; a group that has no room goes to the next row whole, and leaves its line. */
export function ChipRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0 overflow-x-clip [overflow-clip-margin:4px]">
      <legend className="sr-only">{label}</legend>
      {/* The line before the first group of each row falls outside of what is shown. */}
      <div className="-ml-[13px] flex flex-wrap gap-y-1.5">{children}</div>
    </fieldset>
  );
}

export function ChipGroup({ children }: { children: ReactNode }) {
  return (
    <div className="relative flex flex-wrap items-center gap-1.5 pr-3 pl-[13px] before:absolute before:inset-y-[5px] before:left-0 before:w-px before:bg-line last:pr-0">
      {children}
    </div>
  );
}
