import { ChevronDown } from "lucide-react";
import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { countOf } from "../../../contract/shown/of-use.ts";
import { sayOf } from "../../base/i18n/plugin-words.ts";
import { problemLine } from "../../base/i18n/problem-words.ts";
import { useNow } from "../../base/i18n/time.ts";
import { approvalsPath, pluginPath } from "../../base/routes.ts";
import { useAsks } from "../../features/approvals/public.ts";
import { ReviewMark } from "../../features/offered/public.ts";
import { SeenMark } from "../../features/permissions/seen-mark.tsx";
import { stepWords } from "../../features/plugins/step-words.ts";
import { usePluginActions } from "../../features/plugins/use-plugin-actions.ts";
import { useSetupIsOpen } from "../../features/setup/use-setup-is-open.ts";
import { callsToday } from "../../model/call-days.ts";
import { cardStep, currentProblem, healthOf, isNotBuilt, lackIn, tones } from "../../model/health.ts";
import { peopleOf } from "../../model/people.ts";
import { displayName, type Row, useRow } from "../../model/rows.ts";
import { liveLine } from "../../model/runtime-values.ts";
import { useSeveralRuntimes } from "../../model/runtimes.ts";
import { RuntimeBadge } from "../../ui/badge.tsx";
import { CapabilityBadges } from "../../ui/capability-badges.tsx";
import { cx } from "../../ui/class-names.ts";
import { Button, TextButton } from "../../ui/controls/button.tsx";
import { Switch } from "../../ui/controls/switch.tsx";
import { Face } from "../../ui/face.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { StateMark } from "../../ui/state-mark.tsx";

/** Height of a card that is not unfolded, in pixels; its jack sits at the middle. */
export const cardHeight = 92;

export const PluginCard = memo(function PluginCard({
  agentId,
  pluginKey,
}: {
  agentId: string;
  pluginKey: string;
}) {
  const { t } = useTranslation();
  const row = useRow(agentId, pluginKey);
  const actions = usePluginActions(agentId, pluginKey);
  const [unfolded, setUnfolded] = useState(false);
  const health = healthOf(row);
  const name = displayName(row);
  const problem = currentProblem(row);
  const setupIsOpen = useSetupIsOpen(agentId, pluginKey);
  const step = cardStep(row, setupIsOpen);
  const asks = useAsks(agentId, pluginKey);
  const waiting = row.plugin ? peopleOf(row).waiting.length : 0;
  const off = health === "off" || health === "gone";
  const several = useSeveralRuntimes();

  return (
    <article
      aria-label={name}
      className="@container relative rounded-lg border border-line bg-surface shadow-card transition-colors hover:border-line-strong"
    >
      <div className="flex items-center gap-4 px-4 pl-5" style={{ minHeight: cardHeight }}>
        <Face
          seed={pluginKey}
          name={name}
          icon={row.plugin?.declaration.icon}
          ours={row.plugin?.source.kind === "builtin"}
          faded={health === "gone"}
        />
        <div className="min-w-0 flex-1 py-2.5">
          <div className="flex items-center gap-2 @max-[620px]:pr-52">
            <Link
              to={pluginPath(agentId, pluginKey)}
              className="truncate rounded-sm text-base font-semibold after:absolute after:inset-0 after:rounded-lg hover:text-accent"
            >
              {name}
            </Link>
            {several && row.plugin && (
              <span className="shrink-0 @max-[520px]:hidden">
                <RuntimeBadge runtime={row.plugin.runtime} />
              </span>
            )}
          </div>
          {row.plugin && (
            <div className="mt-1 flex flex-wrap items-center gap-1.5">
              <CapabilityBadges
                capabilities={row.plugin.capabilities}
                tools={row.view?.instance.contributions?.tools}
              />
              <SeenMark row={row} />
              <ReviewMark agentId={agentId} pluginKey={pluginKey} count={row.plugin.toLookAt} />
            </div>
          )}
          <div className="mt-1 flex min-w-0 items-center gap-3 text-sm">
            <DetailLine row={row} asks={asks} waiting={waiting} />
            {asks && (
              <Link
                to={approvalsPath(agentId)}
                className="relative z-10 shrink-0 rounded-sm font-medium underline decoration-line-strong underline-offset-3 hover:decoration-accent"
              >
                {t("plugin.answer")}
              </Link>
            )}
            {waiting > 0 && !asks && (
              <Link
                to={pluginPath(agentId, pluginKey, "people")}
                className="relative z-10 shrink-0 rounded-sm font-medium underline decoration-line-strong underline-offset-3 hover:decoration-accent"
              >
                {t("people.look")}
              </Link>
            )}
            {step && !asks && (
              <TextButton
                className="relative z-10 shrink-0"
                onClick={() => actions.takeStep(step)}
                disabled={actions.pending !== null}
              >
                {stepWords(step, problem, t)}
              </TextButton>
            )}
            {problem && (
              <button
                type="button"
                aria-expanded={unfolded}
                onClick={() => setUnfolded(!unfolded)}
                className="relative z-10 inline-flex shrink-0 items-center gap-0.5 rounded-sm text-xs text-mute hover:text-ink"
              >
                {t("problem.more")}
                <ChevronDown
                  className={cx("size-3.5 transition-transform", unfolded && "rotate-180")}
                  aria-hidden="true"
                />
              </button>
            )}
          </div>
        </div>
        <div className="flex items-center gap-4 @max-[620px]:absolute @max-[620px]:top-3 @max-[620px]:right-4">
          <StateMark health={health} />
          <div className="relative z-10 flex items-center">
            {health === "gone" ? (
              <Button size="sm" onClick={() => actions.takeStep("reinstall")}>
                {t("step.reinstall")}
              </Button>
            ) : (
              <Switch
                checked={row.view?.enabled ?? false}
                onChange={actions.setEnabled}
                pending={actions.pending === "switch"}
                label={off ? t("plugin.switchOn", { name }) : t("plugin.switchOff", { name })}
              />
            )}
          </div>
        </div>
      </div>
      {(unfolded && problem) || actions.problem ? (
        <div className="relative z-10 space-y-2 px-5 pb-4">
          {unfolded && problem && (
            <ProblemNote problem={problem} tone={tones[health] === "warn" ? "warn" : "bad"} />
          )}
          {actions.problem && (
            <ProblemNote
              problem={actions.problem}
              action={
                <Button size="sm" look="quiet" onClick={actions.dismiss}>
                  {t("common.dismiss")}
                </Button>
              }
            />
          )}
        </div>
      ) : null}
    </article>
  );
});

/**
 * One line: that it or somebody waits for an answer, else what is wrong, else what is live: entries of its settings, what
 * it reports and its calls of today; else what it is for.
 */
function DetailLine({ row, asks, waiting }: { row: Row; asks: boolean; waiting: number }) {
  const { t } = useTranslation();
  const now = useNow(15_000);
  const health = healthOf(row);
  const problem = currentProblem(row);
  const tone = tones[health];

  if (asks) return <p className="truncate font-medium text-warn">{t("plugin.asks")}</p>;
  if (waiting > 0 && !problem)
    return <p className="truncate font-medium text-warn">{t("people.waitingCount", { count: waiting })}</p>;
  if (problem) {
    const line = problemLine(problem);
    const text = row.view?.instance.nextRestartAt ? `${line} ${t("plugin.restartsSoon")}` : line;
    return (
      <p
        className={cx("truncate", tone === "warn" || problem.code === "HELD_OFF" ? "text-mute" : "text-bad")}
        title={text}
      >
        {text}
      </p>
    );
  }
  const lack = lackIn(row);
  if (lack && health === "needs_setup")
    return <p className="truncate text-warn">{sayOf(row.plugin?.declaration.words)(lack.text)}</p>;
  if (isNotBuilt(row.plugin)) return <p className="truncate text-warn">{t("plugin.notBuilt")}</p>;
  if (health === "gone") return <p className="truncate text-mute">{t("plugin.gone")}</p>;
  const say = sayOf(row.plugin?.declaration.words);
  const live = health === "running" ? liveLine(row.view?.runtimeState ?? null, now, say) : null;
  const runs = health === "running" || health === "asleep";
  const counted = runs && row.plugin ? countOf(row.plugin, row.view) : null;
  const facts = [counted && say(counted), live].filter(Boolean).join(" · ");
  const line = facts || (health === "asleep" ? t("plugin.asleep") : (row.plugin?.description ?? ""));
  const { count, failed } = callsToday(row.view, now);
  if (!runs || count === 0) return <p className="truncate text-mute">{line}</p>;
  return (
    <p className="flex min-w-0 text-mute">
      <span className="truncate">{line}</span>
      <span className="max-w-full shrink-0 truncate whitespace-pre">
        {line && " · "}
        {t(failed > 0 ? "plugin.callsTodayFailed" : "plugin.callsToday", { count, failed })}
      </span>
    </p>
  );
}
