import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { useCommandCount, useHookCount, useToolCount } from "./by-hand/counts.ts";

export interface DebugTabProps {
  agentId: string;
}

/** The tabs beside the conversation, in their order; each is loaded when it is opened. */
export const debugTabs = [
  {
    id: "timeline",
    Panel: lazy(async () => ({ default: (await import("./timeline/timeline.tsx")).Timeline })),
  },
  {
    id: "tools",
    Panel: lazy(async () => ({ default: (await import("./tools/tools-tab.tsx")).ToolsTab })),
    useCount: useToolCount,
  },
  {
    id: "calls",
    Panel: lazy(async () => ({ default: (await import("./outside/outside-tab.tsx")).OutsideTab })),
  },
  {
    id: "hooks",
    Panel: lazy(async () => ({ default: (await import("./hooks/hooks-tab.tsx")).HooksTab })),
    useCount: useHookCount,
  },
  {
    id: "commands",
    Panel: lazy(async () => ({ default: (await import("./commands/commands-tab.tsx")).CommandsTab })),
    useCount: useCommandCount,
  },
  {
    id: "context",
    Panel: lazy(async () => ({ default: (await import("./context/context-tab.tsx")).ContextTab })),
  },
  {
    id: "replay",
    Panel: lazy(async () => ({ default: (await import("./replay/replay.tsx")).ReplayTab })),
  },
  {
    id: "tree",
    Panel: lazy(async () => ({ default: (await import("./tree/session-tree.tsx")).SessionTree })),
  },
] as const satisfies readonly {
  id: string;
  Panel: LazyExoticComponent<ComponentType<DebugTabProps>>;
  /** The figure beside its name; null: not known yet. */
  useCount?: (agentId: string) => number | null;
}[];

export type DebugTab = (typeof debugTabs)[number]["id"];
