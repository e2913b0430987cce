import { useTranslation } from "react-i18next";
import type { FiredHook } from "../../../../contract/by-hand/by-hand.ts";
import { isSameJson } from "../../../../contract/diff/json-diff.ts";
import { isObject } from "../../../../contract/is-object.ts";
import { cleanText } from "../../../../contract/shown/clean-text.ts";
import { useDisplayName } from "../../../model/rows.ts";
import { JsonDiff } from "../../../ui/json/json-diff.tsx";
import { JsonTree } from "../../../ui/json/json-tree.tsx";
import { HookStep, plainEvent } from "../by-hand/hook-step.tsx";

export interface Fired {
  event: string;
  /** What was fired. */
  before: Record<string, unknown>;
  /** What it was after all hooks; undefined: it did not come so far. */
  payload: unknown;
  denied: { owner: string; reason: string } | null;
  hooks: FiredHook[];
}

/** What became of an event that was fired by hand. */
export function FiredView({ fired: { event, before, payload, denied, hooks } }: { fired: Fired }) {
  const { t } = useTranslation();
  const blocker = useDisplayName(denied?.owner ?? null);
  // The core puts in whose event it is.
  const after = isObject(payload) ? without(payload, before) : payload;
  return (
    <section aria-label={t("fire.result")} className="mt-5 space-y-3">
      <h3 className="text-sm font-semibold">
        {t("fire.asked", { count: hooks.length, event: plainEvent(event) })}
      </h3>
      {hooks.length > 0 && (
        <ol className="divide-y divide-line rounded-lg border border-line bg-surface px-4">
          {hooks.map((hook, index) => (
            <li key={`${hook.owner} ${hook.hookId} ${hook.stage ?? ""}`}>
              <HookStep hook={hook} place={index + 1} />
            </li>
          ))}
        </ol>
      )}
      {denied && (
        <p role="status" className="rounded-lg border border-bad/35 bg-bad-wash px-4 py-2.5 text-sm">
          <strong className="font-semibold">{t("fire.denied", { plugin: blocker ?? denied.owner })}</strong>{" "}
          {cleanText(denied.reason)}
        </p>
      )}
      {!denied && after !== undefined && (
        <div>
          <h3 className="mb-1.5 text-sm font-semibold">{t("fire.after")}</h3>
          {isSameJson(before, after) ? (
            <p className="text-sm text-mute">{t("fire.unchanged")}</p>
          ) : (
            <JsonDiff before={before} after={after} label={t("fire.after")} />
          )}
          <details className="mt-2">
            <summary className="w-fit rounded-sm text-xs text-mute hover:text-ink">{t("fire.whole")}</summary>
            <JsonTree className="mt-1.5" value={payload} label={t("fire.whole")} />
          </details>
        </div>
      )}
    </section>
  );
}

/** The payload without the fields that the core puts into every one. */
function without(payload: Record<string, unknown>, fired: Record<string, unknown>): Record<string, unknown> {
  const added = ["agentId", "sessionId"].filter((name) => !Object.hasOwn(fired, name));
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !added.includes(name)));
}
