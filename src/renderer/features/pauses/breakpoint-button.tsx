import { CircleDot } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/controls/button.tsx";
import { breakpointsOf, usePauses } from "./pause-store.ts";

const Panel = lazy(async () => ({
  default: (await import("./panel/breakpoint-dialog.tsx")).BreakpointDialog,
}));

/** Opens the breakpoints of an agent, and says how many there are. */
export function BreakpointButton({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const count = usePauses((state) => breakpointsOf(state.breakpoints, agentId).length);
  return (
    <>
      <Button
        size="sm"
        icon={<CircleDot className="size-3.5 text-accent" aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {count > 0 ? t("breakpoints.buttonCount", { count }) : t("breakpoints.button")}
      </Button>
      <Suspense fallback={null}>
        {isOpen && <Panel agentId={agentId} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
