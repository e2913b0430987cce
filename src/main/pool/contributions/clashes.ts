import { PatchbayError, type Problem } from "../../../contract/index.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";

/** One running plugin and what it offers. */
export interface Offer {
  key: string;
  contributions: InstanceContributions;
}

/** A tool name that one of the running plugins has already, as the failure of the plugin that comes later. */
export function toolClash(newcomer: Offer, running: Iterable<Offer>): PatchbayError | null {
  const names = new Set(newcomer.contributions.tools.map((tool) => tool.name));
  for (const { key, contributions } of running) {
    const taken = contributions.tools.find((tool) => names.has(tool.name));
    if (taken) return nameClash(`tool ${taken.title}`, key, newcomer.key);
  }
  return null;
}

/**
 * Which plugins lose a command name to another. The earlier one in plugin-key order keeps it, whichever started first.
 *
 * @param offers in plugin-key order
 * @returns for each loser its problem and the names it lost
 */
export function commandClashes(
  offers: readonly Offer[],
): Map<string, { lost: Set<string>; problem: Problem }> {
  const owners = new Map<string, string>();
  const losers = new Map<string, { lost: Set<string>; problem: Problem }>();
  for (const { key, contributions } of offers) {
    for (const { name } of contributions.commands) {
      const owner = owners.get(name);
      if (owner === undefined) {
        owners.set(name, key);
        continue;
      }
      const loser = losers.get(key) ?? {
        lost: new Set(),
        problem: nameClash(`command /${name}`, owner, key).toProblem(),
      };
      loser.lost.add(name);
      losers.set(key, loser);
    }
  }
  return losers;
}

function nameClash(what: string, owner: string, newcomer: string): PatchbayError {
  return new PatchbayError("NAME_CLASH", `The ${what} of ${newcomer} is already offered by ${owner}.`, {
    details: { owners: [owner, newcomer] },
  });
}
