import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useShallow } from "zustand/react/shallow";
import { formatCount, formatMs, formatNumber } from "../../../base/i18n/time.ts";
import { hookSentenceKey } from "../../../model/hook-words.ts";
import { useMirror } from "../../../store/mirror.ts";
import { cx } from "../../../ui/class-names.ts";
import { plainEvent } from "../by-hand/hook-step.tsx";
import { PluginName } from "../by-hand/plugin-name.tsx";
import type { ListedHook } from "./use-hooks.ts";

interface EventHooksProps {
  event: string;
  /** In the order in which they are asked. */
  hooks: readonly ListedHook[];
  /** Plugins that must agree to it and do not listen. */
  absent: readonly string[];
  action: ReactNode;
}

/** Who listens to one event, in the order in which they are asked. */
export function EventHooks({ event, hooks, absent, action }: EventHooksProps) {
  const { t } = useTranslation();
  const required = useMirror(
    useShallow((state) =>
      hooks.map(
        ({ owner }) => state.plugins.get(owner)?.declaration.requiredHooks?.includes(event as never) ?? false,
      ),
    ),
  );
  return (
    <section
      aria-label={plainEvent(event)}
      className="overflow-hidden rounded-lg border border-line bg-surface"
    >
      <header className="flex min-h-11 flex-wrap items-center gap-x-3 border-b border-line px-4 py-1.5">
        <h2 className="figure font-semibold">{plainEvent(event)}</h2>
        <p className="min-w-0 flex-1 text-xs text-mute">{t(hookSentenceKey(event))}</p>
        {action}
      </header>
      {absent.map((owner) => (
        <p
          key={owner}
          role="alert"
          className="flex flex-wrap items-center gap-2 bg-bad-wash px-4 py-2 text-sm"
        >
          <PluginName owner={owner} />
          <span className="text-bad">{t("hooksTab.absent")}</span>
        </p>
      ))}
      {hooks.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: no fields stand in it
        <div
          role="group"
          aria-label={t("hooksTab.listeners", { event: plainEvent(event) })}
          // What scrolls is reached by the keyboard.
          tabIndex={0}
          className="overflow-x-auto focus-visible:-outline-offset-2"
        >
          <table className="w-full text-sm">
            <thead className="text-left text-xs text-mute">
              <tr>
                <Head className="pl-4">#</Head>
                <Head>{t("hooksTab.plugin")}</Head>
                <Head isNumber>{t("hooksTab.priority")}</Head>
                <Head>{t("hooksTab.whenItFails")}</Head>
                <Head isNumber>{t("hooksTab.limit")}</Head>
                <Head isNumber>{t("hooksTab.calls")}</Head>
                <Head isNumber>{t("hooksTab.failures")}</Head>
                <Head isNumber>p50</Head>
                <Head isNumber className="pr-4">
                  p95
                </Head>
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {hooks.map((hook, index) => (
                <tr key={`${hook.owner} ${hook.id}`}>
                  <td className="figure py-2 pl-4 text-hint">{index + 1}</td>
                  <td className="py-2 pr-2 pl-1.5">
                    <PluginName owner={hook.owner} />
                    {required[index] && (
                      <span className="ml-2 rounded-full border border-line-strong px-1.5 text-xs text-mute">
                        {t("hooksTab.required")}
                      </span>
                    )}
                  </td>
                  <Figure>{hook.priority}</Figure>
                  <td className="px-1.5 py-2 whitespace-nowrap text-mute">
                    {t(`hooksTab.mode.${hook.failureMode}`)}
                  </td>
                  <Figure>{formatMs(hook.timeoutMs)}</Figure>
                  <Figure>{formatCount(hook.calls)}</Figure>
                  <Figure isBad={hook.failures > 0}>{formatCount(hook.failures)}</Figure>
                  <Figure>{took(hook.p50Ms)}</Figure>
                  <Figure className="pr-4">{took(hook.p95Ms)}</Figure>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function took(ms: number | null): string {
  if (ms === null) return "–";
  return ms < 10 ? `${formatNumber(ms, 1)} ms` : formatMs(ms);
}

interface CellProps {
  className?: string;
  isNumber?: boolean;
  isBad?: boolean;
  children: ReactNode;
}

function Head({ className, isNumber = false, children }: CellProps) {
  return (
    <th
      scope="col"
      className={cx("px-1.5 py-1.5 font-medium whitespace-nowrap", isNumber && "text-right", className)}
    >
      {children}
    </th>
  );
}

function Figure({ className, isBad = false, children }: CellProps) {
  return (
    <td
      className={cx(
        "figure px-1.5 py-2 text-right whitespace-nowrap",
        isBad ? "font-semibold text-bad" : "text-mute",
        className,
      )}
    >
      {children}
    </td>
  );
}
