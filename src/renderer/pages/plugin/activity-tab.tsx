import { useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { rpc } from "../../base/client/rpc.ts";
import { sayOf } from "../../base/i18n/plugin-words.ts";
import { formatBytes, formatCount, formatMs, formatSince, useNow } from "../../base/i18n/time.ts";
import { ConnectionBlock } from "../../features/channel/connection-block.tsx";
import { TrafficBlock } from "../../features/channel/traffic-block.tsx";
import { WalledEvents } from "../../features/permissions/walled-events.tsx";
import { connectionOf, withoutConnection } from "../../model/connection.ts";
import type { Row } from "../../model/rows.ts";
import { runtimeValues } from "../../model/runtime-values.ts";
import { putRow } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";
import { cx } from "../../ui/class-names.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Block, Facts } from "../../ui/well.tsx";
import { CallBars } from "./call-bars.tsx";
import { ErrorList } from "./log/error-list.tsx";
import { LogPanel } from "./log/log-panel.tsx";
import { useLogs } from "./log/use-logs.ts";
import { Trend } from "./trend.tsx";

async function clearError(agentId: string, key: string) {
  putRow(await rpc.agentPlugins.clearError({ agentId, key }));
}

/** What the plugin does right now: what it reports, its process, its last error and its log. */
export function ActivityTab({ row }: { row: Row }) {
  const { t } = useTranslation();
  const now = useNow(5_000);
  const view = row.view;
  const clearing = useAction(clearError);
  const isChannel = row.plugin?.capabilities.channel !== undefined;
  const connection = isChannel ? connectionOf(view?.runtimeState ?? null) : null;
  const state = view?.runtimeState ?? {};
  const values = runtimeValues(
    connection ? withoutConnection(state) : state,
    now,
    sayOf(row.plugin?.declaration.words),
  );
  if (!view) return <p className="page-x py-6 text-mute">{t("activity.never")}</p>;
  const { instance } = view;
  // Of a crash it is said that the plugin starts again by itself. After the last one it does not.
  const { count, failed, since } = instance.calls;
  const counted = t("activity.callsValue", { count, failed });
  const callsInAll = since
    ? t("activity.callsSince", { calls: counted, at: formatSince(since, now) })
    : formatCount(count);
  const lastError = instance.state === "quarantined" ? (instance.reason ?? view.lastError) : view.lastError;

  return (
    <div className="flex min-h-full flex-col gap-4 page-x py-5">
      {lastError && (
        <ProblemNote
          problem={lastError}
          action={
            <Button size="sm" busy={clearing.busy} onClick={() => void clearing.act(row.agentId, row.key)}>
              {t("activity.clearError")}
            </Button>
          }
        />
      )}
      {isChannel && (
        <div
          className={cx("grid items-start gap-4", connection && "@4xl/page:grid-cols-[minmax(0,1fr)_380px]")}
        >
          <TrafficBlock
            agentId={row.agentId}
            pluginKey={row.key}
            runs={instance.state === "running" || instance.state === "degraded"}
          />
          {connection && <ConnectionBlock connection={connection} />}
        </div>
      )}
      <div className="grid items-start gap-4 @4xl/page:grid-cols-[minmax(0,1fr)_380px] @4xl/page:grid-rows-[auto_auto_1fr_auto]">
        <Block title={t("activity.values")}>
          {values.length === 0 ? (
            <p className="text-sm text-mute">{t("activity.noValues")}</p>
          ) : (
            <dl className="grid grid-cols-[max-content_1fr] items-center gap-x-6 gap-y-1.5 text-sm">
              {values.map((value) => (
                <div key={value.key} className="contents" data-value={value.key}>
                  <dt className="text-mute">{value.label}</dt>
                  <dd className="flex min-w-0 items-center gap-3">
                    <span className="figure min-w-0 truncate" title={value.text}>
                      {value.text}
                    </span>
                    {value.number !== null && (
                      <Trend id={`${row.agentId}/${row.key}/${value.key}`} value={value.number} />
                    )}
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </Block>
        <div className="flex min-w-0 flex-col gap-4 @4xl/page:col-start-2 @4xl/page:row-span-3 @4xl/page:row-start-1">
          <Block title={t("activity.process")}>
            <Facts
              facts={[
                {
                  label: t("activity.since"),
                  value: t("activity.sinceValue", {
                    state: t(`instance.${instance.state}`),
                    at: formatSince(instance.since, now),
                  }),
                },
                ...(instance.nextRestartAt
                  ? [
                      {
                        label: t("activity.nextRestart"),
                        value: t("activity.inSeconds", {
                          seconds: Math.max(0, Math.ceil((Date.parse(instance.nextRestartAt) - now) / 1_000)),
                        }),
                      },
                    ]
                  : []),
                {
                  label: t("activity.startTime"),
                  value: instance.startMs === null ? "–" : formatMs(instance.startMs),
                },
                {
                  label: t("activity.memory"),
                  value:
                    instance.memoryBytes === null ? (
                      "–"
                    ) : (
                      <span className="flex items-center gap-3">
                        {formatBytes(instance.memoryBytes)}
                        <Trend
                          id={`${row.agentId}/${row.key} memory`}
                          value={instance.memoryBytes}
                          format={formatBytes}
                        />
                      </span>
                    ),
                },
                {
                  label: t("activity.calls"),
                  value: callsInAll,
                },
                ...(instance.calls.count === 0
                  ? []
                  : [
                      {
                        label: t("activity.week"),
                        value: <CallBars days={instance.calls.days} now={now} />,
                      },
                    ]),
                {
                  label: t("activity.p50"),
                  value: instance.calls.p50Ms === null ? "–" : formatMs(instance.calls.p50Ms),
                },
                {
                  label: t("activity.p95"),
                  value: instance.calls.p95Ms === null ? "–" : formatMs(instance.calls.p95Ms),
                },
                { label: t("activity.restarts"), value: String(instance.restarts) },
                ...(instance.pid === null ? [] : [{ label: t("activity.pid"), value: String(instance.pid) }]),
              ]}
            />
          </Block>
        </div>
        <WalledEvents row={row} now={now} />
        <LiveLog agentId={row.agentId} pluginKey={row.key} now={now} />
      </div>
    </div>
  );
}

/**
 * A component of its own, because lines come many times a second and nothing else on the page should be drawn for them.
 */
function LiveLog({ agentId, pluginKey, now }: { agentId: string; pluginKey: string; now: number }) {
  const { entries, problem } = useLogs(agentId, pluginKey);
  const settled = useDeferredValue(entries);
  return (
    <>
      <ErrorList entries={settled} now={now} />
      <div className="min-w-0 @4xl/page:col-span-2">
        <LogPanel entries={entries} problem={problem} />
      </div>
    </>
  );
}
