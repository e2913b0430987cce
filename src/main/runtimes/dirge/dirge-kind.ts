import type { Plugin } from "../../../contract/index.ts";
import type { HostedKind } from "../hosted/hosted-instance.ts";
import type { HostContributions } from "../hosted/protocol.ts";
import type { InstanceContributions } from "../runtime.ts";
import { type DirgeHook, isDirgeHook, subscriptions } from "./hooks/event-map.ts";
import { insightsOf } from "./risk.ts";

interface KindOptions {
  plugin: Plugin;
  guards: "block" | "allow";
}

/** How the kit runs one plugin of dirge. */
export class DirgeKind implements HostedKind {
  readonly calls: HostedKind["calls"] = new Set(["tool", "hook", "command", "shortcut"]);
  readonly #options: KindOptions;
  #registered: ReadonlySet<DirgeHook> = new Set();
  #prepared: ReadonlySet<string> = new Set();

  constructor(options: KindOptions) {
    this.#options = options;
  }

  /** The hooks that the plugin has functions for. */
  get registered(): ReadonlySet<DirgeHook> {
    return this.#registered;
  }

  /** The full names of its tools that prepare their arguments. */
  get prepared(): ReadonlySet<string> {
    return this.#prepared;
  }

  join(host: HostContributions): InstanceContributions {
    const { plugin, guards } = this.#options;
    const owner = plugin.manifestKey;
    const hooks = new Set(host.hooks.map(({ event }) => event).filter(isDirgeHook));
    const prepared = host.tools.filter(({ prepares }) => prepares).map(({ name }) => `${owner}__${name}`);
    this.#registered = hooks;
    this.#prepared = new Set(prepared);
    return {
      tools: host.tools.map(({ prepares: _, ...tool }) => ({
        ...tool,
        name: `${owner}__${tool.name}`,
        title: `${owner}.${tool.name}`,
        readOnly: false,
        owner,
      })),
      toolsets: [],
      hooks: subscriptions(hooks, { guards, preparesTools: prepared.length > 0 }),
      commands: host.commands.map((command) => ({ ...command, owner })),
      skills: [],
      prompts: [],
      channel: null,
      insights: insightsOf(hooks),
      ...host.offers,
      ...(host.notes && host.notes.length > 0 && { notes: host.notes }),
    };
  }

  tool(name: string): { name: string; title: string } {
    const { manifestKey } = this.#options.plugin;
    const own = name.startsWith(`${manifestKey}__`) ? name.slice(manifestKey.length + 2) : name;
    return { name: own, title: `${manifestKey}.${own}` };
  }
}
