import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { FoundPlugin } from "../../../contract/found/found.ts";
import type { Consent } from "../../../contract/job.ts";
import { problemLine } from "../../base/i18n/problem-words.ts";
import { warningWords } from "../../base/i18n/warning-words.ts";
import { pluginPath } from "../../base/routes.ts";
import { useMirror } from "../../store/mirror.ts";
import { panels } from "../../store/panels.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { ServerFacts } from "./server-facts.tsx";
import type { Taken } from "./taken-names.ts";
import type { Bring, Bringing } from "./use-bring.ts";

/** One server with its tick, what it becomes, and how far it is. */
export function BringRow({ plugin, bring, agentId }: { plugin: FoundPlugin; bring: Bring; agentId: string }) {
  const { t } = useTranslation();
  const { name, spec, server, status, installed } = plugin;
  if (!server) return null;
  const now = bring.of(spec);
  const taken = bring.takenOf(spec);
  const canCome = installed === null && status !== "unsupported" && now === null;
  return (
    <article aria-label={name} className="flex gap-3 px-4 py-3.5">
      <input
        type="checkbox"
        aria-label={t("bring.tick", { name })}
        className="mt-1 size-4 shrink-0 accent-[var(--accent)]"
        checked={bring.ticked.has(spec) || (now !== null && now.problem === null)}
        disabled={!canCome || (taken !== null && bring.clashOf(spec) === "skip")}
        onChange={(event) => bring.tick(spec, event.target.checked)}
      />
      <div className="min-w-0 flex-1">
        <div className="mb-2 flex flex-wrap items-center gap-x-2 gap-y-1">
          <h3 className="max-w-full truncate font-semibold">{name}</h3>
          {status !== "unsupported" && <Badge>{t(`bring.how.${server.how}`)}</Badge>}
          {server.clients.map((client) => (
            <Badge key={client}>{client}</Badge>
          ))}
          {status === "disabled" && <span className="text-xs text-hint">{t("bring.offThere")}</span>}
          <span className="ml-auto">
            {installed !== null && now === null && (
              <Opened agentId={agentId} name={name} pluginKey={installed} />
            )}
          </span>
        </div>
        <ServerFacts server={server} />
        {canCome && taken !== null && <ClashChoice spec={spec} taken={taken} bring={bring} />}
        {now !== null && <Progress now={now} name={name} agentId={agentId} />}
      </div>
    </article>
  );
}

function ClashChoice({ spec, taken, bring }: { spec: string; taken: Taken; bring: Bring }) {
  const { t } = useTranslation();
  const { by: name, ways, other: key } = taken;
  return (
    <label className="mt-2.5 flex flex-wrap items-center gap-2 text-sm">
      <span className="text-warn">{t("bring.taken", { name })}</span>
      <select
        className="field h-7 w-auto py-0 text-xs"
        value={bring.clashOf(spec)}
        onChange={(event) => {
          const way = ways.find((one) => one === event.target.value) ?? "skip";
          bring.settle(spec, way);
          if (way !== "skip") bring.tick(spec, true);
        }}
      >
        {ways.map((way) => (
          <option key={way} value={way}>
            {t(`bring.clash.${way}`, { name, key })}
          </option>
        ))}
      </select>
    </label>
  );
}

/** How far the job is, and what it found. */
function Progress({ now, name, agentId }: { now: Bringing; name: string; agentId: string }) {
  const { t } = useTranslation();
  const agent = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  const { job, handed, problem } = now;
  const failed = problem ?? (job?.status === "failed" ? job.problem : null);
  const look = job && (
    <Button size="sm" aria-label={t("bring.lookName", { name })} onClick={() => panels.showJob(job.id)}>
      {t("bring.look")}
    </Button>
  );
  if (failed)
    return (
      <Line role="alert" action={job?.status === "failed" ? look : null}>
        <span className="font-semibold text-bad">{t("bring.failed")}</span>{" "}
        <span className="break-words">{problemLine(failed)}</span>
      </Line>
    );
  if (job === null || job.status === "running" || (job.status === "done" && !handed))
    return (
      <Line action={null}>
        <span className="inline-flex items-center gap-2 text-mute">
          <Spinner />
          {job && job.status === "running" ? t(`phase.${job.phase}.doing`) : null}
        </span>
      </Line>
    );
  if (job.status === "waiting") {
    const { consent } = job;
    return (
      <Line action={look}>
        <span className="font-semibold">{t("bring.asks")}</span>
        {consent && (
          <span className="text-mute">
            {" · "}
            {[
              consent.packageVersion === "0" ? "" : consent.packageVersion,
              consent.publisher
                ? t("bring.publisher", { publisher: consent.publisher })
                : t("bring.unknownPublisher"),
            ]
              .filter(Boolean)
              .join(" · ")}
          </span>
        )}
        {consent?.takesPlaceOf && (
          <span className="mt-1 block text-warn">
            {t("bring.replaces", { name: consent.takesPlaceOf.displayName })}
          </span>
        )}
        {consent && <Twice consent={consent} />}
      </Line>
    );
  }
  if (job.status === "cancelled" || job.pluginKey === null)
    return (
      <Line action={look}>
        <span className="text-mute">{t("bring.failed")}</span>
      </Line>
    );
  return (
    <Line action={<Opened agentId={agentId} name={name} pluginKey={job.pluginKey} />}>
      <span className="inline-flex items-center gap-1.5 font-medium text-ok">
        <Check className="size-3.5" aria-hidden="true" />
        {t("bring.runs", { agent })}
      </span>
    </Line>
  );
}

/** What of the question of consent should be looked at twice. */
function Twice({ consent }: { consent: Consent }) {
  const { t } = useTranslation();
  const { starts } = consent.asks;
  const missing = starts?.missing && t("starts.missing", { program: starts.missing.program });
  const lines = [
    ...(missing ? [{ text: missing, lang: undefined }] : []),
    ...(starts?.newest ? [{ text: t("starts.newest"), lang: undefined }] : []),
    ...(starts?.risks ?? []).map((risk) => ({ text: t(`starts.risk.${risk}`), lang: undefined })),
    ...warningWords(consent, t),
  ];
  return lines.map(({ text, lang }) => (
    <span key={text} lang={lang} className="mt-1 block break-words text-warn">
      {text}
    </span>
  ));
}

function Line({
  children,
  action,
  role,
}: {
  children: React.ReactNode;
  action: React.ReactNode;
  role?: "alert";
}) {
  return (
    <div role={role} className="mt-2.5 flex items-start gap-3 border-t border-line pt-2.5 text-sm">
      <div className="min-w-0 flex-1">{children}</div>
      {action}
    </div>
  );
}

function Opened({ agentId, name, pluginKey }: { agentId: string; name: string; pluginKey: string }) {
  const { t } = useTranslation();
  return (
    <Link
      to={pluginPath(agentId, pluginKey)}
      aria-label={t("bring.openName", { name })}
      className="inline-flex h-7 shrink-0 items-center rounded-md border border-line-strong px-2.5 text-xs font-semibold hover:bg-sunk"
    >
      {t("bring.open")}
    </Link>
  );
}
