import { EventEmitter } from "node:events";
import type { AgentEventName, SubscribeOptions } from "@patchbay/plugin-sdk";
import type { LogEntry } from "../../src/contract/index.ts";
import type { AgentPool, LiveContributions } from "../../src/main/agents/ports.ts";
import { missingHooks } from "../../src/main/pool/contributions/missing-hooks.ts";
import type {
  CallResult,
  CallResults,
  CallScope,
  PluginCall,
  ToolOutput,
} from "../../src/main/runtimes/plugin-call.ts";

type Handler = (payload: never, scope: CallScope) => unknown;
interface FakeHook {
  id: string;
  event: AgentEventName;
  handler: Handler;
  options: SubscribeOptions;
}
interface FakePlugin {
  tools: Map<
    string,
    {
      title: string;
      parameters: Record<string, unknown>;
      readOnly: boolean;
      execute(input: Record<string, unknown>, scope: CallScope): Promise<ToolOutput> | ToolOutput;
    }
  >;
  hooks: FakeHook[];
  commands: Map<string, (args: string, scope: CallScope) => Promise<string> | string>;
  required: AgentEventName[];
  running: boolean;
}

/** A pool whose plugins live in this process. Every agent sees all of them. */
export class FakePool implements AgentPool {
  readonly changes = new EventEmitter<{
    contributions: [agentId: string];
    instance: [agentId: string, key: string];
    log: [agentId: string, key: string, entry: LogEntry];
  }>();
  readonly calls: { key: string; tool: string; input: Record<string, unknown> }[] = [];
  private readonly plugins = new Map<string, FakePlugin>();
  private lives: LiveContributions | undefined;
  private hookIds = 0;

  whyMissing(): undefined {
    return undefined;
  }

  tool(
    key: string,
    name: string,
    execute: (
      input: Record<string, unknown>,
      scope: CallScope,
    ) => Promise<ToolOutput | string> | ToolOutput | string,
    options: { title?: string; parameters?: Record<string, unknown>; readOnly?: boolean } = {},
  ): this {
    this.plugin(key).tools.set(name, {
      title: options.title ?? name.replace("__", "."),
      parameters: options.parameters ?? { type: "object" },
      readOnly: options.readOnly ?? false,
      execute: async (input, scope) => {
        const result = await execute(input, scope);
        return typeof result === "string" ? { content: [{ type: "text", text: result }] } : result;
      },
    });
    return this.changed();
  }

  /** The plugin offers this tool no longer. */
  withdraw(key: string, name: string): this {
    this.plugin(key).tools.delete(name);
    return this.changed();
  }

  on(
    key: string,
    event: AgentEventName,
    handler: (payload: never, scope: CallScope) => unknown,
    options: SubscribeOptions = {},
  ): () => void {
    const plugin = this.plugin(key);
    const hook = { id: `h${++this.hookIds}`, event, handler, options };
    plugin.hooks.push(hook);
    this.changed();
    return () => {
      plugin.hooks.splice(plugin.hooks.indexOf(hook), 1);
      this.changed();
    };
  }

  command(
    key: string,
    name: string,
    run: (args: string, scope: CallScope) => Promise<string> | string,
  ): this {
    this.plugin(key).commands.set(name, run);
    return this.changed();
  }

  /** Marks events that must not pass while the plugin does not run. */
  require(key: string, events: AgentEventName[]): this {
    this.plugin(key).required = events;
    return this.changed();
  }

  /** Writes a line in the name of a plugin, during the call of that scope. */
  log(key: string, text: string, { turnId, spanId }: CallScope): void {
    const call = turnId !== null && spanId !== null ? { call: { turnId, spanId } } : {};
    const at = new Date().toISOString();
    this.changes.emit("log", "a", key, { seq: 1, at, level: "info", origin: "plugin", text, ...call });
  }

  setRunning(key: string, running: boolean): void {
    this.plugin(key).running = running;
    this.changed();
    this.changes.emit("instance", "a", key);
  }

  live(): LiveContributions {
    this.lives ??= this.collect();
    return this.lives;
  }

  required() {
    return [...this.plugins]
      .filter(([, plugin]) => plugin.required.length > 0)
      .flatMap(([owner, plugin]) => missingHooks(owner, plugin.required, plugin.running ? plugin : null));
  }

  view(_agentId: string, key: string) {
    return { state: this.plugin(key).running ? ("running" as const) : ("failed" as const), generation: 1 };
  }

  async wake(): Promise<void> {}

  async call<C extends PluginCall>(
    _agentId: string,
    key: string,
    call: C,
    scope: CallScope,
  ): Promise<CallResult<C>> {
    return (await this.make(key, call, scope)) as CallResult<C>;
  }

  private async make(
    key: string,
    call: PluginCall,
    scope: CallScope,
  ): Promise<CallResults[PluginCall["kind"]]> {
    const plugin = this.plugin(key);
    switch (call.kind) {
      case "tool": {
        const found = plugin.tools.get(call.name);
        if (!found) throw new Error(`no tool ${call.name}`);
        this.calls.push({ key, tool: call.name, input: structuredClone(call.input) });
        return found.execute(structuredClone(call.input), scope);
      }
      case "hook": {
        const hook = this.snapshots.get(`${key}/${call.hookId}`);
        if (!hook) throw new Error(`no hook ${call.hookId}`);
        return hook.handler(structuredClone(call.payload) as never, scope);
      }
      case "command": {
        const run = plugin.commands.get(call.name);
        if (!run) throw new Error(`no command ${call.name}`);
        return run(call.args, scope);
      }
      default:
        throw new Error(`nothing here takes a ${call.kind}`);
    }
  }

  private readonly snapshots = new Map<string, FakeHook>();

  private plugin(key: string): FakePlugin {
    let plugin = this.plugins.get(key);
    if (!plugin) {
      plugin = { tools: new Map(), hooks: [], commands: new Map(), required: [], running: true };
      this.plugins.set(key, plugin);
    }
    return plugin;
  }

  private changed(): this {
    this.lives = undefined;
    this.changes.emit("contributions", "a");
    return this;
  }

  private collect(): LiveContributions {
    const running = [...this.plugins].filter(([, plugin]) => plugin.running);
    return {
      tools: running.flatMap(([owner, plugin]) =>
        [...plugin.tools].map(([name, tool]) => ({
          name,
          title: tool.title,
          description: `the tool ${name}`,
          parameters: tool.parameters,
          readOnly: tool.readOnly,
          owner,
        })),
      ),
      toolsets: running.map(([owner]) => ({ owner, id: owner, description: `tools of ${owner}` })),
      hooks: running.flatMap(([owner, plugin]) =>
        plugin.hooks.map((hook) => {
          this.snapshots.set(`${owner}/${hook.id}`, hook);
          const { priority = 100, timeoutMs = 2_000, failureMode } = hook.options;
          const byDefault = hook.event === "tool.before@v1" ? ("fail" as const) : ("skip" as const);
          return {
            owner,
            id: hook.id,
            event: hook.event,
            priority,
            timeoutMs,
            failureMode: failureMode ?? byDefault,
          };
        }),
      ),
      commands: running.flatMap(([owner, plugin]) =>
        [...plugin.commands.keys()].map((name) => ({ name, description: `runs ${name}`, owner })),
      ),
      skills: [],
    };
  }
}
