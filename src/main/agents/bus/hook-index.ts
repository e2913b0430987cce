import type { HookInfo } from "../../../contract/index.ts";
import type { LiveContributions } from "../ports.ts";

export type LiveHook = HookInfo & { owner: string };

/** The hooks of one agent by event, each list in the order in which they run. Immutable: iterating one is a snapshot. */
export class HookIndex {
  readonly source: LiveContributions;
  private readonly byEvent = new Map<string, LiveHook[]>();

  constructor(source: LiveContributions) {
    this.source = source;
    for (const hook of source.hooks) {
      const list = this.byEvent.get(hook.event);
      if (list) list.push(hook);
      else this.byEvent.set(hook.event, [hook]);
    }
    for (const list of this.byEvent.values()) list.sort((left, right) => left.priority - right.priority);
  }

  of(event: string): readonly LiveHook[] {
    return this.byEvent.get(event) ?? none;
  }
}

const none: readonly LiveHook[] = [];

/** A name for a hook that stays the same when its plugin is restarted. */
export function hookName(hook: LiveHook): string {
  return `${hook.owner}/${hook.id}`;
}
