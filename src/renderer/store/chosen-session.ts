import { create } from "zustand";

/** The conversation that is open for each agent, where the person chose one: the panel and the page show the same. */
const useChosen = create<Record<string, string>>()(() => ({}));

export function useChosenSession(agentId: string): string | null {
  return useChosen((state) => state[agentId] ?? null);
}

export function chooseSession(agentId: string, sessionId: string): void {
  useChosen.setState({ [agentId]: sessionId });
}
