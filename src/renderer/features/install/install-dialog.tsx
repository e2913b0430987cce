import { X } from "lucide-react";
import { Dialog as RadixDialog } from "radix-ui";
import { useTranslation } from "react-i18next";
import { useMirror } from "../../store/mirror.ts";
import { panels, usePanels } from "../../store/panels.ts";
import { ChooseStep } from "./choose-step.tsx";
import { JobPanel } from "./job-panel.tsx";
import { PhaseList } from "./phase-list.tsx";

/** Installing, in one dialog: what to install on the first page, then the job with its phases on the left. */
export function InstallDialog({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const install = usePanels((state) => state.install);
  const job = useMirror((state) => (install?.jobId ? (state.jobs.get(install.jobId) ?? null) : null));
  return (
    <RadixDialog.Root open={install !== null} onOpenChange={(open) => !open && panels.closeInstall()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 bg-scrim backdrop-blur-[3px]" />
        <div className="pointer-events-none fixed inset-0 z-50 grid place-items-center p-6">
          <RadixDialog.Content
            aria-describedby={undefined}
            className="pointer-events-auto flex h-[580px] max-h-full w-full max-w-[840px] overflow-hidden rounded-xl border border-line bg-surface shadow-high animate-appear focus-visible:outline-none"
          >
            <aside className="w-[232px] shrink-0 border-r border-line bg-sunk px-5 py-5">
              <PhaseList job={job} />
            </aside>
            <div className="relative flex min-w-0 flex-1 flex-col">
              {install && job ? (
                <JobPanel key={job.id} job={job} agentId={agentId} />
              ) : (
                install && <ChooseStep key={install.from.spec} initial={install.from} />
              )}
              <RadixDialog.Close
                aria-label={t("common.close")}
                className="absolute top-4 right-4 grid size-8 place-items-center rounded-md text-mute hover:bg-sunk hover:text-ink"
              >
                <X className="size-4" aria-hidden="true" />
              </RadixDialog.Close>
            </div>
          </RadixDialog.Content>
        </div>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
