import { useMirror } from "../../store/mirror.ts";
import { panels, usePanels } from "../../store/panels.ts";
import { AgentDialog } from "./agent-dialog.tsx";

export function AgentDialogs() {
  const creating = usePanels((state) => state.createAgent);
  const editing = usePanels((state) => state.editAgent);
  const agent = useMirror((state) => (editing === null ? undefined : state.agents.get(editing)));
  return (
    <>
      {creating && <AgentDialog onClose={() => panels.createAgent(false)} />}
      {agent && <AgentDialog key={agent.id} agent={agent} onClose={() => panels.editAgent(null)} />}
    </>
  );
}
