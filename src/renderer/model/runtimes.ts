import type { PluginSource, RuntimeId } from "../../contract/plugin.ts";
import { useMirror } from "../store/mirror.ts";

/** The plugin systems that have a colour of their own, in the order in which they are named. */
const known: readonly RuntimeId[] = ["native", "fledge", "flowly", "dirge", "mcp"];

/** Those with a colour first, then the others by their ids. */
export function inOrder(runtimes: ReadonlySet<RuntimeId>): RuntimeId[] {
  const others = [...runtimes].filter((runtime) => !known.includes(runtime)).sort();
  return [...known.filter((runtime) => runtimes.has(runtime)), ...others];
}

/** The word for where a plugin came from. Plugins of dirge may be single files. */
export function sourceWord({ kind, spec }: Pick<PluginSource, "kind" | "spec">) {
  const isFile = spec.endsWith(".janet");
  if (isFile && kind === "folder") return "source.file";
  return isFile && kind === "link" ? "source.linkedFile" : (`source.${kind}` as const);
}

/** What a plugin system calls itself; its id while it is not known here (a plugin of a catalogue). */
export function useRuntimeName(runtime: RuntimeId): string {
  return useMirror((state) => state.info?.runtimes.find(({ id }) => id === runtime)?.displayName ?? runtime);
}

/** Worked out once for each map of plugins, however many cards ask. */
const several = new WeakMap<object, boolean>();

/**
 * Whether a plugin of another system than Patchbay's own is installed: while there is none, no card has to say of which
 * system its plugin is.
 */
export function useSeveralRuntimes(): boolean {
  return useMirror(({ plugins }) => {
    const known = several.get(plugins);
    if (known !== undefined) return known;
    const found = [...plugins.values()].some(({ runtime }) => runtime !== "native");
    several.set(plugins, found);
    return found;
  });
}
