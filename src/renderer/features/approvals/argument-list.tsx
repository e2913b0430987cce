import { useState } from "react";
import { useTranslation } from "react-i18next";
import { argumentText, type ShownArgument, wholeArguments } from "../../../contract/shown/whole-arguments.ts";
import { formatBytes } from "../../base/i18n/time.ts";

export { argumentText };

/** What of a call's arguments is folded at present, and the way to unfold it. */
export interface Fold {
  shown: ShownArgument[];
  open: ReadonlySet<string>;
  toggle(name: string): void;
  openAll(): void;
  /** How many characters are not in sight. */
  hidden: number;
}

export function useFold(value: Record<string, unknown>): Fold {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const shown = wholeArguments(value);
  const closed = shown.filter((one) => one.folded && !open.has(one.name));
  return {
    shown,
    open,
    toggle: (name) =>
      setOpen((before) => {
        const after = new Set(before);
        if (!after.delete(name)) after.add(name);
        return after;
      }),
    openAll: () => setOpen(new Set(shown.map(({ name }) => name))),
    hidden: closed.reduce((sum, one) => sum + (one.folded?.hidden ?? 0), 0),
  };
}

/** Arguments of a call, name by name. Long values are folded, and say how much is not in sight. */
export function ArgumentList({ value, fold }: { value: Record<string, unknown>; fold?: Fold }) {
  const { t } = useTranslation();
  const own = useFold(value);
  const { shown, open, toggle } = fold ?? own;
  if (shown.length === 0) return <p className="text-xs text-mute">{t("arguments.none")}</p>;
  return (
    <dl className="figure space-y-1.5 rounded-md bg-sunk px-3 py-2">
      {shown.map((one) => (
        <div key={one.name} className="flex flex-wrap gap-x-3">
          <dt className="max-w-full min-w-12 shrink-0 break-words text-mute">{one.name}</dt>
          <dd className="min-w-40 flex-1 wrap-anywhere whitespace-pre-wrap text-ink">
            {one.folded && !open.has(one.name) ? (
              <>
                {one.folded.head}
                <span className="my-1 block rounded-sm border-y border-dashed border-line-strong py-0.5 font-sans text-xs text-warn">
                  {t("arguments.hidden", { size: formatBytes(one.folded.hidden) })}
                </span>
                {one.folded.tail}
              </>
            ) : (
              one.text
            )}
            {one.folded && (
              <button
                type="button"
                aria-expanded={open.has(one.name)}
                onClick={() => toggle(one.name)}
                className="mt-1 block rounded-sm font-sans text-xs font-medium underline decoration-line-strong underline-offset-3 hover:decoration-accent"
              >
                {open.has(one.name)
                  ? t("arguments.fold", { name: one.name })
                  : t("arguments.showAll", { size: formatBytes(one.text.length) })}
              </button>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
