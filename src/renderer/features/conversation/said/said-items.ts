import type { PluginSaid } from "../../../../contract/effects/effects.ts";

/** What a plugin left for the person. `turnId`: null outside of turns. */
export interface SaidItem {
  kind: "said";
  id: string;
  turnId: string | null;
  owner: string;
  said: PluginSaid;
}

/** What a plugin wrote to the agent in the middle of a turn: a message like a person's, with its name. */
export interface SteerItem {
  kind: "user";
  id: string;
  turnId: string;
  text: string;
  by: string;
}

export function saidOf({ id, turnId, owner, said }: Omit<SaidItem, "kind">): SaidItem {
  return { kind: "said", id, turnId, owner, said };
}

export function steerOf(steer: { id: string; turnId: string; owner: string; text: string }): SteerItem {
  const { id, turnId, owner, text } = steer;
  return { kind: "user", id, turnId, text, by: owner };
}
