import type { ReactNode } from "react";
import { cx } from "./class-names.ts";

/** A titled block on a page. */
export function Block({
  title,
  action,
  children,
  className,
}: {
  title: string;
  action?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={cx("rounded-lg border border-line bg-surface", className)}>
      <header className="flex min-h-11 items-center justify-between gap-3 border-b border-line px-4 py-1.5">
        <h2 className="text-sm font-semibold">{title}</h2>
        {action}
      </header>
      <div className="px-4 py-3">{children}</div>
    </section>
  );
}

/** Label and value pairs that line up. */
export function Facts({ facts }: { facts: { label: string; value: ReactNode; title?: string }[] }) {
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1.5 text-sm">
      {facts.map((fact) => (
        <div key={fact.label} className="contents">
          <dt className="text-mute">{fact.label}</dt>
          <dd className="min-w-0 break-words text-ink" title={fact.title}>
            {fact.value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
