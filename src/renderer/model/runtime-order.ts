import type { RuntimeId } from "../../contract/plugin.ts";

/** The plugin systems in the order in which they are always named. */
export const runtimeOrder: readonly RuntimeId[] = ["native", "fledge", "flowly", "dirge"];
