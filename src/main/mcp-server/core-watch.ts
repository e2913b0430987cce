import type { AppEvent, Dialog } from "../../contract/index.ts";
import { readUntil } from "../base/read-until.ts";
import type { Core } from "./core.ts";

/** What clients list. */
export const everything = ["tools", "prompts", "resources"] as const;
export type Listed = (typeof everything)[number];

export interface WatchListener {
  /** What the agent offers may be otherwise now. */
  changed(of: Listed): void;
  dialog(dialog: Dialog): void;
  dialogClosed(id: string): void;
}

/** Follows what the core announces of one agent, until it is ended or the core is gone. */
export class CoreWatch {
  /** Resolves when everything from now on is heard; rejects when the core cannot be reached. */
  readonly ready: Promise<void>;
  readonly #agentId: string;
  readonly #listener: WatchListener;
  readonly #ended = new AbortController();
  /** What is known of what the tools depend on, to tell a change from a repetition. */
  readonly #known = new Map<string, string>();

  constructor(core: Core, agentId: string, listener: WatchListener) {
    this.#agentId = agentId;
    this.#listener = listener;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    promise.catch(() => {});
    this.#follow(core, resolve)
      .catch(reject)
      .finally(() => {
        reject(new TypeError("terminated"));
        if (!this.#ended.signal.aborted && !core.over.aborted) core.lost();
      });
  }

  end(): void {
    this.#ended.abort();
  }

  async #follow(core: Core, heard: () => void): Promise<void> {
    const signal = AbortSignal.any([this.#ended.signal, core.over]);
    for await (const event of readUntil(await core.client.app.events({}, { signal }), signal)) {
      heard();
      if (event.type === "resync") for (const one of everything) this.#listener.changed(one);
      if (event.type === "changes") this.#changes(event);
    }
  }

  #changes({ changes }: Extract<AppEvent, { type: "changes" }>): void {
    const changed = new Set<Listed>();
    for (const change of changes) {
      if (change.type === "drop" && change.collection === "dialogs") this.#listener.dialogClosed(change.id);
      if (change.type === "drop" && change.collection === "agentPlugins")
        for (const one of everything) changed.add(one);
      if (change.type !== "put") continue;
      if (change.collection === "dialogs" && change.item.agentId === this.#agentId)
        this.#listener.dialog(change.item);
      if (change.collection === "agents" && change.item.id === this.#agentId)
        if (this.#isNew("policy", change.item.policy)) for (const one of everything) changed.add(one);
      if (change.collection === "agentPlugins" && change.item.agentId === this.#agentId) {
        const { pluginKey, enabled, instance } = change.item;
        const { contributions, startsOnUse } = instance;
        // A plugin that sleeps has the tools that it had, or none were listed yet.
        if (enabled && startsOnUse && !contributions) continue;
        for (const one of everything)
          if (this.#isNew(`${one} of ${pluginKey}`, [enabled, contributions?.[one]])) changed.add(one);
      }
    }
    for (const one of changed) this.#listener.changed(one);
  }

  #isNew(key: string, value: unknown): boolean {
    const text = JSON.stringify(value);
    if (this.#known.get(key) === text) return false;
    this.#known.set(key, text);
    return true;
  }
}
