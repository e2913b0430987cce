import { useTranslation } from "react-i18next";
import type { HeldThing } from "../../../contract/tools/said.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Beside } from "./beside.tsx";
import { SuspicionList } from "./suspicion-list.tsx";

interface HeldCardProps {
  thing: HeldThing;
  busy: boolean;
  onDecide(accept: boolean): void;
}

/** One thing that waits: what was agreed to and what it says now, and the two answers. */
export function HeldCard({ thing, busy, onDecide }: HeldCardProps) {
  const { t } = useTranslation();
  const { kind, title, change, before, words, suspicious, kept } = thing;
  const name = kind === "instructions" ? t("offered.instructions") : title;
  return (
    <article aria-label={name} className="rounded-lg border border-line bg-surface px-4 py-3">
      <header className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 flex-1 text-sm font-semibold wrap-anywhere">
          {kind === "instructions" ? name : <code className="figure">{name}</code>}
        </h3>
        {kind === "prompt" && <Badge>{t("offered.prompt")}</Badge>}
        <Badge>{t(change === "added" ? "offered.isNew" : "offered.isChanged")}</Badge>
        {kept && <Badge>{t("offered.isKept")}</Badge>}
      </header>
      <SuspicionList suspicions={suspicious} />
      <div className="mt-2.5">
        <Beside before={before} after={words} />
      </div>
      <footer className="mt-3 flex flex-wrap justify-end gap-2">
        {!kept && (
          <Button
            size="sm"
            look="quiet"
            busy={busy}
            aria-label={t("offered.keepOf", { name })}
            onClick={() => onDecide(false)}
          >
            {t("offered.keep")}
          </Button>
        )}
        <Button
          size="sm"
          busy={busy}
          aria-label={t("offered.acceptOf", { name })}
          onClick={() => onDecide(true)}
        >
          {t("offered.accept")}
        </Button>
      </footer>
    </article>
  );
}
