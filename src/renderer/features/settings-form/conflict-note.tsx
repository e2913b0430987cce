import { useTranslation } from "react-i18next";
import { Button } from "../../ui/controls/button.tsx";
import type { Conflict } from "./use-settings-form.ts";

interface ConflictNoteProps {
  conflict: Conflict;
  onKeepMine(revision: number): void;
  onTakeTheirs(): void;
}

/** Somebody saved in the meantime: both versions, and the choice. */
export function ConflictNote({ conflict, onKeepMine, onTakeTheirs }: ConflictNoteProps) {
  const { t } = useTranslation();
  return (
    <section
      role="alert"
      aria-label={t("conflict.title")}
      className="rounded-lg border border-warn/40 bg-warn-wash px-5 py-4"
    >
      <h2 className="text-sm font-semibold">{t("conflict.title")}</h2>
      <p className="text-sm text-mute">{t("conflict.text")}</p>
      <div className="mt-3 grid grid-cols-2 gap-3">
        <Version title={t("conflict.yours")} value={conflict.yours} other={conflict.current} />
        <Version title={t("conflict.theirs")} value={conflict.current} other={conflict.yours} />
      </div>
      <div className="mt-3 flex justify-end gap-2">
        <Button onClick={onTakeTheirs}>{t("conflict.takeTheirs")}</Button>
        <Button look="accent" ahead onClick={() => onKeepMine(conflict.revision)}>
          {t("conflict.keepMine")}
        </Button>
      </div>
    </section>
  );
}

function Version({ title, value, other }: { title: string; value: unknown; other: unknown }) {
  const lines = JSON.stringify(value, null, 2)
    .split("\n")
    .map((line, place) => ({ line, place }));
  const others = new Set(JSON.stringify(other, null, 2).split("\n"));
  return (
    <div className="min-w-0">
      <h3 className="mb-1 text-xs font-medium text-mute">{title}</h3>
      <pre
        tabIndex={0}
        className="figure max-h-56 overflow-auto rounded-md border border-line bg-surface py-1.5"
      >
        {lines.map(({ line, place }) => (
          <span
            key={place}
            className={others.has(line) ? "block px-3" : "block bg-warn-wash px-3 font-semibold"}
          >
            {line}
          </span>
        ))}
      </pre>
    </div>
  );
}
