import type { ReactNode } from "react";

interface ChoiceProps {
  checked: boolean;
  onChange(checked: boolean): void;
  children: ReactNode;
}

/** A box to tick, with its words beside it. */
export function Choice({ checked, onChange, children }: ChoiceProps) {
  return (
    <label className="flex items-start gap-2.5 text-sm">
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-[var(--accent)]"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="min-w-0 break-words">{children}</span>
    </label>
  );
}

interface GroupProps {
  title: string;
  icon?: ReactNode;
  /** Behind the title. */
  mark?: ReactNode;
  children: ReactNode;
}

/** A titled part of the card. */
export function Group({ title, icon, mark, children }: GroupProps) {
  return (
    <section>
      <h3 className="mb-2 flex items-center gap-2 text-sm font-semibold">
        {icon}
        {title}
        {mark}
      </h3>
      {children}
    </section>
  );
}

/** Sentences. `lang`: of one that is not in the screen's language. */
export function List({ lines }: { lines: readonly { text: string; lang?: string }[] }) {
  return (
    <ul className="list-disc space-y-1 pl-5 text-sm">
      {lines.map(({ text, lang }) => (
        <li key={text} lang={lang} className="break-words">
          {text}
        </li>
      ))}
    </ul>
  );
}
