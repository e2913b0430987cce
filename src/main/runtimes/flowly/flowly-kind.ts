import type { Plugin } from "../../../contract/index.ts";
import type { HostedKind } from "../hosted/hosted-instance.ts";
import type { HostContributions } from "../hosted/protocol.ts";
import type { InstanceContributions } from "../runtime.ts";
import { detailsOf } from "./details.ts";
import { firedAt, isFlowlyEvent, subscriptions } from "./hooks/event-map.ts";
import { insightsOf } from "./risk.ts";

/** Tools that the host adds by itself for skills and for web search, which in Flowly are the agent's own. */
const addedByHost: ReadonlySet<string> = new Set(["skill_view", "web_search", "web_extract"]);

interface KindOptions {
  plugin: Plugin;
  /** Milliseconds for all callbacks of one event. */
  hookMs: number;
  guards: "block" | "allow";
  /** Environment variables that the manifest asks for and that have no value. */
  missing: readonly string[];
}

/** How the kit runs one plugin of Flowly. */
export class FlowlyKind implements HostedKind {
  readonly calls: HostedKind["calls"] = new Set(["tool", "hook", "command", "resource"]);
  readonly #options: KindOptions;
  #registered: ReadonlySet<string> = new Set();

  constructor(options: KindOptions) {
    this.#options = options;
  }

  /** Flowly's events for which the plugin has callbacks now. */
  get registered(): ReadonlySet<string> {
    return this.#registered;
  }

  join(host: HostContributions): InstanceContributions {
    this.#registered = new Set(host.hooks.map(({ event }) => event));
    return joined(host, this.#options);
  }

  tool(name: string): { name: string; title: string } {
    const { manifestKey } = this.#options.plugin;
    const own = name.startsWith(`${manifestKey}__`) ? name.slice(manifestKey.length + 2) : name;
    return { name: own, title: `${manifestKey}.${own}` };
  }
}

function joined(host: HostContributions, options: KindOptions): InstanceContributions {
  const { plugin, hookMs, guards } = options;
  const owner = plugin.manifestKey;
  const events = host.hooks.map(({ event }) => event);
  const notes = [...notesOf(host, options)];
  return {
    tools: host.tools.map((tool) => ({
      ...tool,
      name: `${owner}__${tool.name}`,
      title: `${owner}.${tool.name}`,
      readOnly: false,
      owner,
    })),
    toolsets: [],
    hooks: subscriptions(events, { timeoutMs: hookMs, guards }),
    commands: host.commands.map((command) => ({ ...command, owner })),
    skills: host.skills,
    prompts: [],
    channel: null,
    insights: insightsOf({ hooks: events, tools: registeredTools(host) }),
    ...(notes.length > 0 && { notes }),
  };
}

/** Names that the manifest lists and the code did not register, and the other way round; what never fires; what is missing. */
function* notesOf(host: HostContributions, { plugin, missing }: KindOptions): Generator<string> {
  const declared = declaredBy(plugin);
  const tools = registeredTools(host);
  const events = new Set(host.hooks.map(({ event }) => event));
  if (declared.tools.size > 0) {
    const absent = without(declared.tools, tools);
    if (absent)
      yield `Its manifest names ${absent}, which it does not offer: its code has not registered it, or its own check says no.`;
    const more = without(tools, declared.tools);
    if (more) yield `Its manifest does not name ${more}, which it offers.`;
  }
  if (declared.hooks.size > 0) {
    const absent = without(declared.hooks, events);
    if (absent) yield `Its manifest names the hook ${absent}, which its code has not registered.`;
    const more = without(events, declared.hooks);
    if (more) yield `Its manifest does not name the hook ${more}, which its code has registered.`;
  }
  for (const event of events) {
    if (!isFlowlyEvent(event)) yield `Its hook ${event} is none that Flowly knows; it never runs.`;
    else if (firedAt[event].length === 0) yield `Its hook ${event} never runs, in Flowly neither.`;
  }
  if (missing.length > 0) yield `It may lack a setting: no value for ${missing.join(", ")}.`;
}

function registeredTools(host: HostContributions): Set<string> {
  return new Set(host.tools.map(({ name }) => name).filter((name) => !addedByHost.has(name)));
}

/** The names of the first that the second does not have; empty when there are none. */
function without(these: ReadonlySet<string>, those: ReadonlySet<string>): string {
  return [...these].filter((name) => !those.has(name)).join(", ");
}

function declaredBy({ declaration }: Plugin): { tools: Set<string>; hooks: Set<string> } {
  const { provides_tools, provides_hooks } = detailsOf(declaration).manifest;
  const texts = (items: readonly unknown[]) => new Set(items.filter((item) => typeof item === "string"));
  return { tools: texts(provides_tools), hooks: texts(provides_hooks) };
}
