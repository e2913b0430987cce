import { FolderOpen, Globe, Sparkles, SquareTerminal } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { GrantStep } from "../../../../contract/permissions/compared.ts";
import { cx } from "../../../ui/class-names.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { stepWords } from "../step-words.ts";

export type Kind = "files" | "network" | "programs" | "model";
/** `reached`, `refused`: that happened a moment ago. */
export type Lamp = "idle" | "reached" | "refused";

const icons = { files: FolderOpen, network: Globe, programs: SquareTerminal, model: Sparkles };

const lamps: Record<Lamp, string> = {
  idle: "border-line bg-sunk text-mute",
  reached: "border-ok/40 bg-ok-wash text-ok",
  refused: "border-bad/40 bg-bad-wash text-bad",
};

interface KindBlockProps {
  kind: Kind;
  lamp: Lamp;
  /** What happened, in a few words: "reached 12 times, refused 2". */
  counts: ReactNode;
  /** What it asks for and does not have. */
  lacking: readonly GrantStep[];
  onAllow(step: GrantStep): void;
  children: ReactNode;
}

/** One kind of permission: what is granted, what is asked for besides, and a lamp that shows its use. */
export function KindBlock({ kind, lamp, counts, lacking, onAllow, children }: KindBlockProps) {
  const { t } = useTranslation();
  const Icon = icons[kind];
  return (
    <section aria-label={t(`permissions.${kind}`)} className="rounded-lg border border-line bg-surface">
      <header className="flex min-h-12 items-center gap-3 border-b border-line px-4 py-2">
        <span
          data-lamp={lamp}
          className={cx(
            "grid size-8 shrink-0 place-items-center rounded-md border transition-colors",
            lamps[lamp],
          )}
        >
          <Icon className="size-4" aria-hidden="true" />
        </span>
        <h2 className="text-sm font-semibold">{t(`permissions.${kind}`)}</h2>
        <span className="ml-auto min-w-0 text-right text-xs text-mute">{counts}</span>
      </header>
      <div className="space-y-4 px-4 py-3.5">
        {children}
        {lacking.length > 0 && (
          <div className="rounded-md border border-warn/35 bg-warn-wash px-3 py-2 text-sm">
            <p className="text-mute">{t("permissions.asks")}</p>
            <ul className="mt-1.5 flex flex-wrap gap-1.5">
              {lacking.slice(0, 40).map((step) => (
                <li key={JSON.stringify(step)} className="max-w-full">
                  <Button size="sm" className="max-w-full" onClick={() => onAllow(step)}>
                    <span className="truncate">{t("permissions.allow", { name: stepWords(t, step) })}</span>
                  </Button>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </section>
  );
}
