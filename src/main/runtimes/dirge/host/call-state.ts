import type { DrawnLine, PluginEffect } from "@patchbay/plugin-sdk";
import type { HookAnswer } from "../hooks/host-answer.ts";

/** What functions of the plugin are called for. `render`: to draw something of an entry or message. */
export type Doing = "load" | "hook" | "tool" | "command" | "shortcut" | "prepare" | "render";

/** What one call of the plugin has left behind: the slots of its hook, and what it wants done beside its answer. */
export class CallState {
  /** Of the app's call; null while the plugin is loaded. */
  readonly id: number | null;
  readonly doing: Doing;
  /** The hook that is run, without the plugin's name. */
  readonly hook: string | null;
  readonly left: HookAnswer["left"] = {};
  readonly effects: PluginEffect[] = [];
  /** What a renderer has drawn. */
  readonly lines: DrawnLine[] = [];
  /** Reports how far a tool is; absent outside of tools. */
  readonly progress: ((text: string) => void) | undefined;

  constructor(
    id: number | null,
    doing: Doing,
    more: { hook?: string; progress?: (text: string) => void } = {},
  ) {
    this.id = id;
    this.doing = doing;
    this.hook = more.hook ?? null;
    this.progress = more.progress;
  }

  /** A text that is to be answered in a run of its own: only in on-prompt it is a hint for the run that begins. */
  requestPrompt(text: string): void {
    this.left.requestPrompt = text;
  }

  /** Everything that is asked for beside the answer, when the call is done. */
  asked(): PluginEffect[] {
    const { requestPrompt } = this.left;
    if (requestPrompt === undefined || this.hook === "on-prompt") return this.effects;
    return [...this.effects, { kind: "run", text: requestPrompt }];
  }
}
