import { availableParallelism } from "node:os";

/** How many of an agent's plugins start together when they are needed: most of that time passes with waiting for others. */
export const WAKES_AT_ONCE = 24;

/** How many plugins start together when Patchbay does. */
export const startsAtOnce = () => Math.max(2, availableParallelism());
