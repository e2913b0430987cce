import { create } from "zustand";

/** The conversation that is open for each agent, where the person chose one: the panel and the page show the same. */
const useChosen = create<Record<string, string | null>>()(() => ({}));

export function useChosenSession(agentId: string): string | null {
  return useChosen((state) => state[agentId] ?? null);
}

export function chosenSession(agentId: string): string | null {
  return useChosen.getState()[agentId] ?? null;
}

/** Null: none is; the newest one is opened. */
export function chooseSession(agentId: string, sessionId: string | null): void {
  useChosen.setState({ [agentId]: sessionId });
}
