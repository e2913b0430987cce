import { agentEventShapes, isAgentEventName } from "@patchbay/plugin-sdk";
import type { HookInfo } from "../../../contract/index.ts";

type Hooks = readonly Pick<HookInfo, "event">[];

/** Hooks without which what they would check is refused, and which nothing answers. */
interface MissingHooks {
  owner: string;
  events: string[];
  /** Its plugin runs, and has not subscribed to them. */
  unsubscribed?: true;
}

/**
 * Which of a plugin's required hooks nothing answers.
 * @param offered what it offers; null while it does not run
 */
export function missingHooks(
  owner: string,
  required: readonly string[],
  offered: { hooks: Hooks } | null,
): MissingHooks[] {
  if (offered === null) return [{ owner, events: [...required] }];
  const events = unaskedVetoes(required, offered.hooks);
  return events.length > 0 ? [{ owner, events, unsubscribed: true }] : [];
}

/** Those of the declared events that are vetoes, agreed to as a guard, and that no subscription answers. */
export function unaskedVetoes(declared: readonly string[], hooks: Hooks): string[] {
  return declared.filter(
    (event) =>
      isAgentEventName(event) &&
      agentEventShapes[event] === "veto" &&
      !hooks.some((hook) => hook.event === event),
  );
}
