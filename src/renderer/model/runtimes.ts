import type { RuntimeId } from "../../contract/plugin.ts";
import { useMirror } from "../store/mirror.ts";

/** The plugin systems that have a colour of their own, in the order in which they are named. */
const known: readonly RuntimeId[] = ["native", "fledge", "flowly", "dirge"];

/** Those with a colour first, then the others by their ids. */
export function inOrder(runtimes: ReadonlySet<RuntimeId>): RuntimeId[] {
  const others = [...runtimes].filter((runtime) => !known.includes(runtime)).sort();
  return [...known.filter((runtime) => runtimes.has(runtime)), ...others];
}

/** What a plugin system calls itself; its id while it is not known here (a plugin of a catalogue). */
export function useRuntimeName(runtime: RuntimeId): string {
  return useMirror((state) => state.info?.runtimes.find(({ id }) => id === runtime)?.displayName ?? runtime);
}

/** Whether plugins of several systems are installed: while all are of one, no card has to say of which. */
export function useSeveralRuntimes(): boolean {
  return useMirror((state) => {
    let first: RuntimeId | null = null;
    for (const { runtime } of state.plugins.values()) {
      if (first !== null && runtime !== first) return true;
      first = runtime;
    }
    return false;
  });
}
