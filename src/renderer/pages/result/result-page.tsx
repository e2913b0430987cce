import { ArrowLeft } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { asksOf } from "../../../contract/asks.ts";
import { discoverPath } from "../../base/routes.ts";
import { useFindInstalled } from "../../features/catalogue/installed.ts";
import { JobStrip } from "../../features/install/job-strip.tsx";
import { panels } from "../../store/panels.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { AsksFor, Brings, Origin } from "./result-facts.tsx";
import { ResultHeader } from "./result-header.tsx";
import { ResultVersions } from "./result-versions.tsx";
import { ResultWays } from "./result-ways.tsx";
import { useDetails, useEntry } from "./use-entry.ts";

/** One result: what it can do, what it asks for, whose it is, its versions, and the way to install it. */
export function ResultPage() {
  const { t } = useTranslation();
  const { agentId = "", spec = "" } = useParams();
  const { value: entry, problem, searching } = useEntry(spec);
  const details = useDetails(entry);
  const installed = useFindInstalled()(entry ?? unknownEntry);

  return (
    <div className="flex h-full min-w-0 flex-col overflow-y-auto page-x pt-4 pb-8 animate-appear">
      <Link
        to={discoverPath(agentId)}
        className="inline-flex w-fit items-center gap-1.5 rounded-sm text-sm text-mute hover:text-ink"
      >
        <ArrowLeft className="size-3.5" aria-hidden="true" />
        {t("found.back")}
      </Link>
      {entry ? (
        <>
          <ResultHeader agentId={agentId} entry={entry} installed={installed} />
          <JobStrip />
          <div className="grid items-start gap-4 @4xl/page:grid-cols-[minmax(0,1fr)_380px]">
            <div className="space-y-4">
              <Brings capabilities={entry.capabilities ?? installed?.capabilities ?? null} />
              <AsksFor asks={entry.permissions ? asksOf(entry.permissions) : (installed?.consent ?? null)} />
            </div>
            <div className="space-y-4">
              <Origin entry={entry} details={details.answer.value} />
              {entry.ways ? (
                <ResultWays entry={entry} isInstalled={installed !== null} />
              ) : (
                <ResultVersions entry={entry} installed={installed} details={details} />
              )}
            </div>
          </div>
        </>
      ) : searching ? (
        <p role="status" className="mt-10 flex items-center gap-2 text-mute">
          <Spinner />
          {t("found.looking")}
        </p>
      ) : (
        <div className="mt-6 max-w-[640px]">
          <h1 className="title mb-3 break-words">{spec}</h1>
          <ProblemNote
            tone="warn"
            problem={
              problem ?? {
                code: "PACKAGE_NOT_FOUND",
                message: t("found.missing", { spec }),
                help: t("found.missingHelp"),
              }
            }
            action={
              <Button size="sm" onClick={() => panels.openInstall(spec)}>
                {t("discover.add")}
              </Button>
            }
          />
        </div>
      )}
    </div>
  );
}

/** Matches nothing that is installed. */
const unknownEntry = {
  spec: "",
  source: "",
  packageName: "",
  displayName: "",
  description: "",
  trust: "unverified",
  installedVersion: null,
} as const;
