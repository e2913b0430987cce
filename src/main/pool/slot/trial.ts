import { PatchbayError, type Plugin } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { eachOf } from "../../base/each-of.ts";
import type { PoolOptions } from "../ports.ts";
import type { Slot } from "./slot.ts";

/**
 * How many new versions are started at the same time, each beside its old one; more would need too much memory at once.
 */
const AT_ONCE = 2;
/** Milliseconds in which the catalogue must store the new version; after them it is ended and the old one goes on. */
const PROMPT_MS = 30_000;

/**
 * Starts a version for every slot that runs the plugin. When one fails, all started ones are ended, and the slots run
 * what the catalogue has stored.
 *
 * @returns a function that ends the wait for the catalogue
 */
export async function tryVersion(
  version: Plugin,
  slots: readonly Slot[],
  options: PoolOptions,
  clock: Clock,
): Promise<() => void> {
  const tried = slots.filter((slot) => slot.live !== null);
  const goBack = () => Promise.all(tried.map((slot) => slot.discardTrial().then(() => slot.settle())));
  let failure: unknown;
  await eachOf(tried, AT_ONCE, async (slot) => {
    if (failure) return;
    try {
      await slot.trial(version);
    } catch (error) {
      failure ??= named(error, options.agents.get(slot.agentId)?.name ?? slot.agentId);
    }
  });
  if (failure) {
    await goBack();
    throw failure;
  }
  if (tried.length === 0) return () => {};
  return clock.after(PROMPT_MS, () => {
    if (tried.some((slot) => slot.hasCandidate)) void goBack();
  });
}

function named(error: unknown, agent: string): PatchbayError {
  const message = error instanceof Error ? error.message : String(error);
  return new PatchbayError(
    error instanceof PatchbayError ? error.code : "START_FAILED",
    `For the agent ${agent}: ${message}`,
    { cause: error, ...(error instanceof PatchbayError && { details: error.details }) },
  );
}
