import { useTranslation } from "react-i18next";
import { cleanJson, exactText } from "../../../contract/shown/clean-text.ts";

/** Arguments of a call, name by name, with long values kept whole and scrollable. */
export function ArgumentList({ value }: { value: Record<string, unknown> }) {
  const { t } = useTranslation();
  const entries = Object.entries(value);
  if (entries.length === 0) return <p className="text-xs text-mute">{t("arguments.none")}</p>;
  return (
    <dl className="figure max-h-64 space-y-1 overflow-auto rounded-md bg-sunk px-3 py-2">
      {entries.map(([name, argument]) => (
        <div key={name} className="flex gap-3">
          <dt className="shrink-0 text-mute">{exactText(name)}</dt>
          <dd className="min-w-0 flex-1 break-words whitespace-pre-wrap text-ink">
            {argumentText(argument)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** An argument as it will be used: what would hide in it, or turn it round, is shown as an escape. */
export function argumentText(value: unknown): string {
  return typeof value === "string" ? exactText(value) : cleanJson(JSON.stringify(value, null, 2));
}
