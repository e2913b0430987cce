import { useShallow } from "zustand/react/shallow";
import { useMirror } from "../../../store/mirror.ts";
import type { ListedHook } from "./use-hooks.ts";

/** Hooks that must agree and of which none listens: their plugin is switched on and does not run, or has not subscribed. */
export function useAbsentHooks(
  agentId: string,
  hooks: readonly ListedHook[],
): { event: string; owner: string }[] {
  const names = useMirror(
    useShallow((state) =>
      [...state.agentPlugins.values()].flatMap(({ agentId: of, pluginKey, enabled }) => {
        if (of !== agentId || !enabled) return [];
        const events = state.plugins.get(pluginKey)?.declaration.requiredHooks ?? [];
        return events
          .filter((event) => !hooks.some((hook) => hook.owner === pluginKey && hook.event === event))
          .map((event) => `${event} ${pluginKey}`);
      }),
    ),
  );
  return names.map((name) => {
    const [event = "", owner = ""] = name.split(" ");
    return { event, owner };
  });
}
