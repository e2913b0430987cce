import { lazy, Suspense } from "react";
import { usePanels } from "../../store/panels.ts";

const InstallDialog = lazy(async () => ({ default: (await import("./install-dialog.tsx")).InstallDialog }));

/** Where installing is drawn while this window shows it; its code is read when it is first asked for. */
export function InstallOutlet({ agentId }: { agentId: string }) {
  const open = usePanels((state) => state.install !== null);
  return (
    open && (
      <Suspense fallback={null}>
        <InstallDialog agentId={agentId} />
      </Suspense>
    )
  );
}
