import { useTranslation } from "react-i18next";
import type { FiredHook } from "../../../../contract/by-hand/by-hand.ts";
import { isObject } from "../../../../contract/is-object.ts";
import { cleanText, escapeText } from "../../../../contract/shown/clean-text.ts";
import { formatMs } from "../../../base/i18n/time.ts";
import { useDisplayName } from "../../../model/rows.ts";
import { cx } from "../../../ui/class-names.ts";
import { JsonDiff } from "../../../ui/json/json-diff.tsx";
import { PluginName } from "./plugin-name.tsx";

const stopping = new Set<FiredHook["decision"]>(["denied", "dropped", "failed", "timed_out", "not_running"]);

interface HookStepProps {
  hook: FiredHook;
  /** Its place among those that were asked, from 1; absent where a list around it counts. */
  place?: number;
}

/** What one hook did: its decision and why, what it changed, what it asked for beside its answer, what it wrote. */
export function HookStep({ hook, place }: HookStepProps) {
  const { t } = useTranslation();
  const { owner, decision, ms, reason, before, after, effects = [], logs = [], stage } = hook;
  const name = useDisplayName(owner) ?? owner;
  const isBad = stopping.has(decision);
  return (
    <article
      aria-label={t("hookStep.label", { plugin: name, event: plainEvent(hook.event) })}
      data-decision={decision}
      className="min-w-0 py-2.5"
    >
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        {place !== undefined && <span className="figure text-hint">{place}</span>}
        <PluginName owner={owner} />
        <code className="figure text-hint">{plainEvent(hook.event)}</code>
        <span className={cx("text-sm", isBad ? "font-medium text-bad" : "text-mute")}>
          {t(`hookStep.decision.${decision}`)}
        </span>
        <span className="figure ml-auto text-mute">{formatMs(ms)}</span>
      </p>
      {stage === "final" && <p className="mt-1 text-xs text-mute">{t("hookStep.final")}</p>}
      {reason && <p className="mt-1 text-sm wrap-anywhere text-mute">{cleanText(reason)}</p>}
      {after !== undefined && (
        <JsonDiff
          className="mt-2"
          before={telling(hook.event, before)}
          after={telling(hook.event, after)}
          label={t("hookStep.changes", { plugin: name })}
        />
      )}
      {effects.length > 0 && (
        <p className="mt-1.5 text-xs text-mute">
          {t("hookStep.asked", { what: [...new Set(effects.map(({ kind }) => kind))].join(", ") })}
        </p>
      )}
      {logs.length > 0 && (
        <ol aria-label={t("hookStep.logs", { plugin: name })} className="figure mt-1.5 space-y-px text-mute">
          {logs.map(({ level, text }, index) => (
            // Lines of a log never change their places.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <li key={index} className="flex gap-2">
              <span className={cx("shrink-0", (level === "error" || level === "warn") && "text-bad")}>
                {level}
              </span>
              <span className="min-w-0 wrap-anywhere whitespace-pre-wrap">{escapeText(text)}</span>
            </li>
          ))}
        </ol>
      )}
    </article>
  );
}

/** Of a payload about a tool only what a hook may change: the rest says once more which call it was. */
function telling(event: string, payload: unknown): unknown {
  if (!isObject(payload)) return payload;
  const { args, content, isError } = payload;
  if (plainEvent(event) === "tool.before") return args;
  return plainEvent(event) === "tool.result" ? { content, isError } : payload;
}

/** `tool.before@v1` as `tool.before`. */
export function plainEvent(event: string): string {
  return event.replace(/@v\d+$/, "");
}
