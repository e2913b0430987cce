import { useMirror } from "../../store/mirror.ts";
import { panels, usePanels } from "../../store/panels.ts";
import { SideDialog } from "../../ui/side-dialog.tsx";
import { ChooseStep } from "./choose-step.tsx";
import { JobPanel } from "./job-panel.tsx";
import { PhaseList } from "./phase-list.tsx";

/** Installing, in one dialog: what to install on the first page, then the job with its phases on the left. */
export function InstallDialog({ agentId }: { agentId: string }) {
  const install = usePanels((state) => state.install);
  const job = useMirror((state) => (install?.jobId ? (state.jobs.get(install.jobId) ?? null) : null));
  return (
    <SideDialog
      open={install !== null}
      onLeave={() => panels.closeInstall()}
      side={
        <aside className="w-[232px] shrink-0 border-r border-line bg-sunk px-5 py-5">
          <PhaseList job={job} />
        </aside>
      }
    >
      {install && job ? (
        <JobPanel key={job.id} job={job} agentId={agentId} />
      ) : (
        install && <ChooseStep key={install.from.spec} initial={install.from} agentId={agentId} />
      )}
    </SideDialog>
  );
}
