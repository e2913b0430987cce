import type { LiveContributions } from "../ports.ts";
import type { Slot } from "../slot/slot.ts";
import { commandClashes, type Offer, toolClash } from "./clashes.ts";

/** What the running plugins of one agent offer together, in plugin-key order; a command name belongs to one alone. */
export function collectOffers(slots: Iterable<Slot>): LiveContributions {
  const offers = offersOf(slots);
  const losers = commandClashes(offers);
  const live: LiveContributions = { tools: [], toolsets: [], hooks: [], commands: [], skills: [] };
  for (const { key, contributions } of offers) {
    const lost = losers.get(key)?.lost;
    live.tools.push(...contributions.tools);
    live.toolsets.push(...contributions.toolsets.map((toolset) => ({ owner: key, ...toolset })));
    live.hooks.push(...contributions.hooks.map((hook) => ({ ...hook, owner: key })));
    live.commands.push(...contributions.commands.filter(({ name }) => !lost?.has(name)));
    live.skills.push(...contributions.skills.map((skill) => ({ owner: key, ...skill })));
  }
  return live;
}

/** Tells each plugin of the agent whether it lost a command name. */
export function markClashes(slots: readonly Slot[]): void {
  const losers = commandClashes(offersOf(slots));
  for (const slot of slots) slot.setClash(losers.get(slot.key)?.problem ?? null);
}

/** A tool name of the newcomer that another running plugin of its agent has. */
export function clashOf(newcomer: Offer, slots: Iterable<Slot>): ReturnType<typeof toolClash> {
  return toolClash(
    newcomer,
    offersOf(slots).filter(({ key }) => key !== newcomer.key),
  );
}

function offersOf(slots: Iterable<Slot>): Offer[] {
  const offers: Offer[] = [];
  for (const slot of slots) {
    const { contributions } = slot;
    if (contributions) offers.push({ key: slot.key, contributions });
  }
  return offers.sort((a, b) => (a.key < b.key ? -1 : 1));
}
