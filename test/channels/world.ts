import { once } from "node:events";
import { watch } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { WebSocket } from "ws";
import type {
  AgentPluginView,
  ChatLanguage,
  Dialog,
  DialogAnswer,
  PersonDecision,
} from "../../src/contract/index.ts";
import { type Client, connectSocket } from "../gateway/support.ts";
import { serverFolder } from "../mcp/server-folder.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { EchoModel } from "./echo-model.ts";
import type { Person, Place, PlatformUnderTest } from "./platform.ts";

const AGENT = "ada";

/** A real app with the bundled plugin in a real host, a model that echoes, and a platform with people on it. */
export class ChannelWorld {
  readonly platform: PlatformUnderTest;
  readonly model: EchoModel;
  /** How long `until` waits, in milliseconds. */
  patienceMs = 45_000;
  readonly #folder: string;
  #app!: RunningApp;
  #client!: Client;
  #socket!: WebSocket;
  /** Resolved and replaced whenever something may have changed. */
  #change = Promise.withResolvers<void>();
  readonly #endHearing: () => void;

  static async open(platform: PlatformUnderTest): Promise<ChannelWorld> {
    const folder = await mkdtemp(join(tmpdir(), `patchbay-${platform.key}-`));
    const world = new ChannelWorld(platform, await EchoModel.open(), folder);
    await world.startApp();
    await world.#install();
    return world;
  }

  private constructor(platform: PlatformUnderTest, model: EchoModel, folder: string) {
    this.platform = platform;
    this.model = model;
    this.#folder = folder;
    this.#endHearing = platform.onHeard(() => this.#changed());
  }

  async startApp(): Promise<void> {
    this.#app = await startApp(join(this.#folder, "home"));
    const { client, socket } = await connectSocket(this.#app);
    this.#client = client;
    this.#socket = socket;
    const events = await client.app.events({});
    void (async () => {
      for await (const _ of events) this.#changed();
    })().catch(() => {});
  }

  async stopApp(): Promise<void> {
    this.#socket.terminate();
    await this.#app.close();
  }

  /** As when the machine loses power: nothing is written any more. */
  async killApp(): Promise<void> {
    const { process: app } = this.#app;
    const gone = once(app, "exit");
    app.kill("SIGKILL");
    await gone;
    this.#socket.terminate();
  }

  /** Kills the process that the plugin runs in, and resolves when the app has noticed. */
  async killHost(): Promise<void> {
    // It may just be starting, after an earlier kill.
    await this.until("the plugin has a process", async () => (await this.view()).instance.pid !== null);
    const { instance } = await this.view();
    if (instance.pid === null) throw new Error("The plugin has no process.");
    process.kill(instance.pid, "SIGKILL");
    await this.until("the host is gone", async () => (await this.view()).instance.pid !== instance.pid);
  }

  view(agentId = AGENT): Promise<AgentPluginView> {
    return this.#client.agentPlugins.get({ agentId, key: this.platform.key });
  }

  async status(agentId = AGENT): Promise<unknown> {
    return (await this.view(agentId)).runtimeState?.status;
  }

  async logs(): Promise<string[]> {
    const entries = await this.#client.agentPlugins.logs({
      agentId: AGENT,
      key: this.platform.key,
      limit: 500,
    });
    return entries.map(({ text }) => text);
  }

  /** The person chooses in which language the agent's channels speak by themselves. */
  speak(chatLanguage: ChatLanguage): Promise<unknown> {
    return this.#client.agents.update({ agentId: AGENT, chatLanguage });
  }

  /** The person decides, in Patchbay, about somebody who wrote. */
  decide(userId: string, decision: PersonDecision): Promise<unknown> {
    const { key } = this.platform;
    return this.#client.agentPlugins.decidePerson({ agentId: AGENT, key, person: { userId }, decision });
  }

  /** Gives the agent an MCP server of the tests, whose tools the owner may use in chats. */
  async addServer(name: Parameters<typeof serverFolder>[1], key: string, tools: string[]): Promise<void> {
    await this.serve(key, name);
    const client = this.#client;
    const { policy } = await client.agents.get({ agentId: AGENT });
    const callers = [{ channel: this.platform.key, role: "owner" }];
    const rules = tools.map((tool) => ({ tool: `${key}__${tool}`, effect: "allow" as const, callers }));
    await client.agents.update({ agentId: AGENT, policy: [...policy, ...rules] });
  }

  /** The question of a plugin that waits, once there is one. */
  async question(): Promise<Dialog> {
    let found: Dialog | undefined;
    await this.until("a plugin asks", async () => {
      [found] = await this.#client.dialogs.list();
      return found !== undefined;
    });
    return found as Dialog;
  }

  /** The person answers it in Patchbay. */
  answer(id: string, answer: DialogAnswer): Promise<unknown> {
    return this.#client.dialogs.answer({ id, answer });
  }

  /** What waits for a person's decision. */
  async waitingCalls(): Promise<string[]> {
    const approvals = await this.#client.approvals.list({ agentId: AGENT });
    return approvals.filter(({ status }) => status === "waiting").map(({ title }) => title);
  }

  restartPlugin(): Promise<unknown> {
    return this.#client.agentPlugins.restart({ agentId: AGENT, key: this.platform.key });
  }

  /** Resolves when the plugin says that it is connected. */
  connected(agentId = AGENT): Promise<void> {
    return this.until("connected", async () => (await this.status(agentId)) === "connected");
  }

  /** Resolves when the platform reaches the plugin; what they know of each other is in the error when it does not. */
  reached(): Promise<void> {
    return this.platform.connected().catch(async (error) => this.#giveUp(String(error)));
  }

  /** Resolves when this person has heard a message with this text. */
  hears(person: Person, text: string, place: Place = "dm"): Promise<void> {
    return this.until(`${person} hears "${text}"`, () =>
      this.platform.heard(person, place).some((message) => message.includes(text)),
    );
  }

  /**
   * Resolves when nothing waits to be answered or sent any more, and that is on the disk: from here on nothing of what was
   * sent may be sent again.
   */
  async settled(): Promise<void> {
    const file = join(this.#folder, "home", "agents", AGENT, "storage", `${this.platform.key}.json`);
    const watching = new AbortController();
    watch(dirname(file), { signal: watching.signal }, () => this.#changed());
    try {
      await this.until("nothing waits any more", async () => {
        const kept = JSON.parse(await this.#queued()).data?.["channel.queue"];
        // Nothing was stored yet, so what was said is still to come.
        if (!kept || kept.inbox.length + kept.outbox.length > 0) return false;
        const queue = (await this.view()).runtimeState?.queue as { in: number; out: number } | undefined;
        return queue?.in === 0 && queue.out === 0;
      });
    } finally {
      watching.abort();
    }
  }

  /** Resolves when a condition holds; looks again after each change of the app, the platform or the plugin. */
  async until(what: string | (() => string), holds: () => boolean | Promise<boolean>): Promise<void> {
    const limit = AbortSignal.timeout(this.patienceMs);
    const late = once(limit, "abort");
    for (;;) {
      // Taken before looking: what changes while it is looked must not be missed.
      const { promise } = this.#change;
      if (await holds()) return;
      await Promise.race([promise, late]);
      if (limit.aborted) {
        const missing = typeof what === "string" ? what : what();
        await this.#giveUp(`Waited too long until ${missing}.`);
      }
    }
  }

  async close(): Promise<void> {
    this.#endHearing();
    await this.stopApp();
    await this.platform.close();
    await this.model.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #giveUp(why: string): Promise<never> {
    throw new Error(`${why}\n${await this.#explain()}\n${await this.#queued()}`);
  }

  /** What the plugin has stored of its queues. */
  async #queued(): Promise<string> {
    const file = join(this.#folder, "home", "agents", AGENT, "storage", `${this.platform.key}.json`);
    return readFile(file, "utf8").catch(() => "{}");
  }

  /** Makes an agent with a channel of its own, and resolves when that is connected. */
  async addAgent(id: string, { config, secrets }: ReturnType<PlatformUnderTest["settings"]>): Promise<void> {
    const { key } = this.platform;
    await this.#client.agents.create({
      id,
      name: `${id.charAt(0).toUpperCase()}${id.slice(1)}`,
      model: { kind: "openai-compatible", model: "echo", baseUrl: `${this.model.url}/v1` },
      workspace: join(this.#folder, id === AGENT ? "work" : id),
      policy: [{ tool: "shell", effect: "ask", callers: [{ channel: key, role: "owner" }] }],
    });
    await this.#client.agentPlugins.set({
      agentId: id,
      key,
      enabled: true,
      config,
      secrets,
      decidesApprovals: true,
    });
    await this.connected(id);
  }

  /** Installs one of the tests' MCP servers for the agent, and resolves when it runs. */
  async serve(key: string, name: Parameters<typeof serverFolder>[1]): Promise<void> {
    await this.#add(key, await serverFolder(join(this.#folder, key), name, { key }));
    await this.#client.agentPlugins.set({ agentId: AGENT, key, enabled: true });
    await this.#client.tools.list({ agentId: AGENT });
  }

  /** The slash commands that the agent has now. */
  async commands(): Promise<string[]> {
    return (await this.#client.commands.list({ agentId: AGENT })).map(({ name }) => name);
  }

  /** The owner calls a tool, beside the chat. */
  call(name: string, input: Record<string, unknown>): Promise<unknown> {
    return this.#client.tools.call({ agentId: AGENT, name, input, yes: true });
  }

  async #install(): Promise<void> {
    const { key } = this.platform;
    await this.#add(key, resolve("out/plugins", key));
    await this.addAgent(AGENT, this.platform.settings());
  }

  async #add(key: string, spec: string): Promise<void> {
    const client = this.#client;
    const { id } = await client.jobs.install({ spec, yes: true });
    await this.until("the plugin is installed", async () => {
      const job = await client.jobs.get({ id });
      if (job.problem) throw new Error(job.problem.message);
      return (await client.plugins.list()).some(({ manifestKey }) => manifestKey === key);
    });
  }

  #changed(): void {
    const { resolve } = this.#change;
    this.#change = Promise.withResolvers();
    resolve();
  }

  async #explain(): Promise<string> {
    try {
      const { instance, runtimeState, lastError } = await this.view();
      const heard = [
        ...this.platform.heard("owner").slice(-5),
        ...this.platform.heard("owner", "group").slice(-5),
      ];
      return JSON.stringify(
        { state: instance.state, runtimeState, lastError, heard, logs: (await this.logs()).slice(-20) },
        null,
        1,
      );
    } catch (error) {
      return String(error);
    }
  }
}
