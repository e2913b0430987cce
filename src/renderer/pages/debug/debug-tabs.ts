import { type ComponentType, type LazyExoticComponent, lazy } from "react";

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
}[];

export type DebugTab = (typeof debugTabs)[number]["id"];
