import { lazy, Suspense } from "react";
import { useMirror } from "../../store/mirror.ts";
import { panels, usePanels } from "../../store/panels.ts";

const AgentDialog = lazy(async () => ({ default: (await import("./agent-dialog.tsx")).AgentDialog }));

/** The dialogs about an agent; their code is read when one is first asked for. */
export function AgentDialogs() {
  const creating = usePanels((state) => state.createAgent);
  const editing = usePanels((state) => state.editAgent);
  const agent = useMirror((state) => (editing === null ? undefined : state.agents.get(editing)));
  return (
    <Suspense fallback={null}>
      {creating && <AgentDialog onClose={() => panels.createAgent(false)} />}
      {agent && <AgentDialog key={agent.id} agent={agent} onClose={() => panels.editAgent(null)} />}
    </Suspense>
  );
}
