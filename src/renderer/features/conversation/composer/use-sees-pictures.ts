import { useMirror } from "../../../store/mirror.ts";

/** Whether the agent's model is shown pictures; otherwise it gets them as files in its workspace. */
export function useSeesPictures(agentId: string): boolean {
  const kind = useMirror((state) => state.agents.get(agentId)?.model.kind);
  return kind !== "none" && kind !== "scripted";
}
