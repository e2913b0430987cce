import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/websocket";
import type { ContractRouterClient } from "@orpc/contract";
import { createRouterClient } from "@orpc/server";
import { type Contract, gatewayPaths, rpcProtocols } from "../../src/contract/index.ts";
import { callerHere } from "../../src/main/authority/callers.ts";
import { coreBundle, root } from "./paths.ts";

type Entry = typeof import("./entry.ts");
export type Client = ContractRouterClient<Contract>;

/** The real core in this process, in a home of its own, with the bench's plugins installed. */
export class Core implements AsyncDisposable {
  readonly client: Client;
  readonly home: string;
  /** The bundle that the core came from. */
  readonly entry: Entry;
  readonly app: Awaited<ReturnType<Entry["createApp"]>>;
  readonly #undo: (() => unknown)[] = [];
  /** The signal for calls that need one. Never aborted. */
  readonly #running = new AbortController();
  #closed: Promise<void> | undefined;

  private constructor(entry: Entry, app: Awaited<ReturnType<Entry["createApp"]>>, home: string) {
    this.entry = entry;
    this.app = app;
    this.home = home;
    this.client = createRouterClient(app.router, { context: { caller: callerHere() } });
  }

  /**
   * @param plugins folders under bench/plugins to install
   * @param options `home`: an own folder, which is then kept; `link`: use the folders in place (default)
   */
  static async open(
    plugins: readonly string[],
    options: { home?: string; link?: boolean } = {},
  ): Promise<Core> {
    const entry: Entry = await import(pathToFileURL(coreBundle).href);
    const home = options.home ?? (await mkdtemp(join(tmpdir(), "patchbay-bench-")));
    const app = await entry.createApp(entry.nodePlatform({ shell: "browser", store: entry.storeAt(home) }));
    const core = new Core(entry, app, home);
    if (options.home === undefined) core.#undo.push(() => rm(home, { recursive: true, force: true }));
    core.#undo.push(() => core.closeApp());
    for (const plugin of plugins)
      await core.install(join(root, "bench/plugins", plugin), options.link ?? true);
    return core;
  }

  async install(folder: string, link: boolean): Promise<void> {
    const job = await this.client.jobs.install({ spec: folder, link, yes: true });
    for await (const state of await this.client.jobs.watch({ id: job.id })) {
      if (state.status === "failed" || state.status === "cancelled") {
        throw new Error(`${folder} was not installed: ${state.problem?.message ?? state.status}`);
      }
    }
  }

  /** An agent that may use every tool, with these plugins switched on and running. */
  async agent(id: string, plugins: readonly string[]): Promise<void> {
    await this.client.agents.create({ id, name: id, policy: [{ tool: "*", effect: "allow" }] });
    for (const key of plugins) {
      const { instance } = await this.client.agentPlugins.set({ agentId: id, key, enabled: true });
      if (instance.state !== "running") {
        throw new Error(`${key} is ${instance.state}: ${instance.reason?.message ?? "no reason"}`);
      }
    }
  }

  /** A tool call through the whole pipeline, as a turn makes it. */
  async call(agentId: string, tool: string, input: Record<string, unknown>): Promise<string> {
    const { output, trace } = await this.app.tools.call({
      agentId,
      sessionId: "bench",
      turnId: null,
      tool,
      input,
      caller: { kind: "owner" },
      signal: this.#running.signal,
    });
    if (trace.problem) throw new Error(trace.problem.message);
    const [part] = output.content;
    return part?.type === "text" ? part.text : "";
  }

  async pid(agentId: string, key: string): Promise<number> {
    const { instance } = await this.client.agentPlugins.get({ agentId, key });
    if (instance.pid === null) throw new Error(`${key} has no process.`);
    return instance.pid;
  }

  /** A client as a screen has it: over a WebSocket to the gateway. */
  async screen(): Promise<Client> {
    const gateway = await this.entry.openGateway(this.app, { rendererDir: this.entry.rendererFolder() });
    this.#undo.push(() => gateway.close());
    const url = `${gateway.url.replace(/^http/, "ws")}${gatewayPaths.rpc}`;
    const socket = new WebSocket(url, rpcProtocols(gateway.token));
    this.#undo.push(() => socket.close());
    await once(socket, "open");
    return createORPCClient(new RPCLink({ websocket: socket }));
  }

  /** Closes the app early; its home and its bundle stay usable. */
  closeApp(): Promise<void> {
    this.#closed ??= this.app.close();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const undo of this.#undo.reverse()) await undo();
  }
}
