import { create } from "zustand";
import type { ShortcutTarget } from "../../../contract/keys/key-plan.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { chooseSession, chosenSession } from "../../store/chosen-session.ts";
import { useMirror } from "../../store/mirror.ts";

/** What a shortcut ended with, where the conversation does not show it. */
export interface ShortcutEnd {
  plugin: string;
  keys: string;
  what: { kind: "said"; text: string } | { kind: "busy" } | { kind: "failed"; problem: ShownProblem };
}

export const useShortcutEnd = create<{ end: ShortcutEnd | null }>()(() => ({ end: null }));

export function forgetShortcutEnd(): void {
  useShortcutEnd.setState({ end: null });
}

/** Calls the plugin whose key was pressed, in the conversation that is open or was last. */
export async function pressShortcut(
  agentId: string,
  { plugin, id }: ShortcutTarget,
  keys: string,
): Promise<void> {
  const show = (what: ShortcutEnd["what"]) => useShortcutEnd.setState({ end: { plugin, keys, what } });
  forgetShortcutEnd();
  try {
    const sessionId =
      chosenSession(agentId) ?? lastSession(agentId) ?? (await rpc.sessions.create({ agentId })).id;
    const { output, busy } = await rpc.shortcuts.press({ agentId, plugin, id, sessionId });
    if (chosenSession(agentId) === null) chooseSession(agentId, sessionId);
    if (busy) show({ kind: "busy" });
    else if (output !== "" && !isConversationShown()) show({ kind: "said", text: output });
  } catch (error) {
    show({ kind: "failed", problem: problemOf(error) });
  }
}

function lastSession(agentId: string): string | undefined {
  return [...useMirror.getState().sessions.values()]
    .filter((one) => one.agentId === agentId && one.source.kind === "owner" && one.status !== "closed")
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0]?.id;
}

function isConversationShown(): boolean {
  return document.querySelector("[role=log]") !== null;
}
