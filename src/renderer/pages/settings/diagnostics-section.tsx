import { CircleCheck, Download, RefreshCw, Stethoscope } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DiagnosticsReport } from "../../../contract/diagnostics.ts";
import { download } from "../../base/client/download.ts";
import { rpc } from "../../base/client/rpc.ts";
import { formatAgo, formatBytes, useNow } from "../../base/i18n/time.ts";
import { useMirror } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { DiagnosticsFiles } from "./diagnostics-files.tsx";
import { LiveTracesBlock } from "./live-traces/live-traces-block.tsx";

const gather = () => rpc.diagnostics.gather();

export function DiagnosticsSection() {
  return (
    <div className="space-y-5">
      <Archive />
      <LiveTracesBlock />
    </div>
  );
}

/** One redacted archive for whoever helps; every file of it is shown before it is written. */
function Archive() {
  const { t } = useTranslation();
  const gathering = useAction(gather);
  const [report, setReport] = useState<DiagnosticsReport | null>(null);
  const run = async () => {
    const next = await gathering.act();
    if (next) setReport(next);
  };
  if (report)
    return <Report key={report.id} report={report} again={() => void run()} gathering={gathering} />;
  return (
    <div className="rounded-lg border border-line bg-surface px-5 py-5 shadow-card">
      <div className="flex items-start gap-4">
        <Stethoscope className="mt-0.5 size-5 shrink-0 text-hint" aria-hidden="true" />
        <div className="min-w-0 flex-1">
          <p className="max-w-[64ch] text-sm">{t("diag.intro")}</p>
          <Button look="accent" className="mt-4" busy={gathering.busy} onClick={() => void run()}>
            {gathering.busy ? t("diag.gathering") : t("diag.gather")}
          </Button>
        </div>
      </div>
      {gathering.problem && <ProblemNote className="mt-4" problem={gathering.problem} />}
    </div>
  );
}

interface ReportProps {
  report: DiagnosticsReport;
  again(): void;
  gathering: Pick<ReturnType<typeof useAction>, "busy" | "problem">;
}

function Report({ report, again, gathering }: ReportProps) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const saving = useAction(useExport());
  const [told, setTold] = useState<string | null>(null);
  const isDesktop = useMirror((state) => state.info?.shell === "desktop");
  const chosen = report.files.filter(({ name }) => !leftOut.has(name));
  const size = formatBytes(chosen.reduce((sum, { bytes }) => sum + bytes, 0));
  const toggle = (name: string) => {
    const next = new Set(leftOut);
    if (!next.delete(name)) next.add(name);
    setLeftOut(next);
  };
  const save = async () => {
    setTold(null);
    setTold((await saving.act(report.id, [...leftOut])) ?? null);
  };
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="min-w-0 flex-1 text-sm text-mute">
          {chosen.length === 0 ? t("diag.nothing") : t("diag.total", { count: chosen.length, size })}
          {" · "}
          {t("diag.gathered", { time: formatAgo(report.at, now) })}
        </p>
        <Button
          busy={gathering.busy}
          onClick={again}
          icon={<RefreshCw className="size-4" aria-hidden="true" />}
        >
          {t("diag.again")}
        </Button>
        <Button
          look="accent"
          busy={saving.busy}
          disabled={chosen.length === 0}
          onClick={() => void save()}
          icon={<Download className="size-4" aria-hidden="true" />}
        >
          {isDesktop ? t("diag.save") : t("diag.download")}
        </Button>
      </div>
      <div role="status">
        {told && (
          <p className="flex items-start gap-2 text-sm font-medium text-ok">
            <CircleCheck className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
            <span className="min-w-0 break-all">{told}</span>
          </p>
        )}
      </div>
      {(saving.problem ?? gathering.problem) && (
        <ProblemNote problem={(saving.problem ?? gathering.problem) as NonNullable<typeof saving.problem>} />
      )}
      <DiagnosticsFiles report={report} leftOut={leftOut} onToggle={toggle} />
    </div>
  );
}

/** Writes the archive the way this shell does, and says where it is. */
function useExport() {
  const { t } = useTranslation();
  const isDesktop = useMirror((state) => state.info?.shell === "desktop");
  return async (id: string, leaveOut: string[]): Promise<string> => {
    if (isDesktop) {
      const { path } = await rpc.diagnostics.save({ id, leaveOut });
      return t("diag.saved", { path });
    }
    const archive = await rpc.diagnostics.archive({ id, leaveOut });
    download(archive, archive.name);
    return t("diag.downloaded", { name: archive.name });
  };
}
