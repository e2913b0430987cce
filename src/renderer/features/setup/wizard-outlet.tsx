import { lazy, Suspense, useEffect, useState } from "react";
import { rowId, useMirror } from "../../store/mirror.ts";
import { hideWizard, useWizardPanel } from "../../store/wizard-panel.ts";

const WizardDialog = lazy(async () => ({
  default: (await import("./dialog/wizard-dialog.tsx")).WizardDialog,
}));

/** Where the setup is drawn while this window shows one. */
export function WizardOutlet() {
  const place = useWizardPanel((state) => state.place);
  const ready = useMirror((state) => state.ready);
  if (!place || !ready) return null;
  const { agentId, key } = place;
  return <Gate key={rowId(agentId, key)} agentId={agentId} pluginKey={key} />;
}

/** After a reload only what the core still has open is shown again. */
function Gate({ agentId, pluginKey }: { agentId: string; pluginKey: string }) {
  const [asked] = useState(
    () => useWizardPanel.getState().opening || useMirror.getState().setups.has(rowId(agentId, pluginKey)),
  );
  useEffect(() => {
    if (!asked) hideWizard();
  }, [asked]);
  return asked ? (
    <Suspense fallback={null}>
      <WizardDialog agentId={agentId} pluginKey={pluginKey} />
    </Suspense>
  ) : null;
}
