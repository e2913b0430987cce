import { EventEmitter } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  Agent,
  ChannelPerson,
  Language,
  Problem,
  Settings,
  Trust,
  TurnEvent,
} from "../../src/contract/index.ts";
import { Agents, type AgentsOptions } from "../../src/main/agents/index.ts";
import type { Replays } from "../../src/main/agents/replay/replays.ts";
import { replaysOf } from "../../src/main/agents/replay/replays-of.ts";
import type { PromptInput } from "../../src/main/agents/turns/turns.ts";
import { type Clock, systemClock } from "../../src/main/base/clock.ts";
import type { ChannelRules } from "../../src/main/runtimes/channel-door.ts";
import { openFileStorage } from "../../src/main/store/index.ts";
import { FakePool } from "./fake-pool.ts";

const limits: Settings["limits"] = {
  inspectMs: 10_000,
  startMs: 20_000,
  stopMs: 5_000,
  hookMs: 2_000,
  toolMs: 5_000,
  drainMs: 5_000,
  approvalMs: 120_000,
  dialogMs: 120_000,
};

class AheadClock implements Clock {
  #ahead = 0;
  now = () => Date.now() + this.#ahead;
  ticks = () => systemClock.ticks();
  after = (ms: number, run: () => void) => systemClock.after(ms, run);
  pass(ms: number): void {
    this.#ahead += ms;
  }
}

/** Agents over real files in a folder of their own, with plugins in this process and one agent, `a`. */
export class Workbench {
  readonly home: string;
  readonly pool = new FakePool();
  readonly limits = { ...limits };
  readonly secrets = new Map<string, string>();
  readonly trust = new Map<string, Trust>();
  readonly audit: { kind: string; [detail: string]: unknown }[] = [];
  readonly reports: { key: string; lastError: Problem | null }[] = [];
  readonly notices: Problem[] = [];
  readonly agents: Agents;
  readonly replays: Replays;
  /** Roles that the person's settings give to users of channels, by user id. */
  readonly roles = new Map<string, string>();
  /** Channels from whose chats owners may decide waiting calls. */
  readonly deciding = new Set<string>();
  /** Whom a channel answers, by its key; channels without an entry judge by themselves. */
  readonly rules = new Map<string, ChannelRules>();
  /** People who were let in or wait, by `agent/plugin`. */
  readonly people = new Map<string, ChannelPerson[]>();
  /** Which host a failed call may be helped by. */
  refusedHost: AgentsOptions["refusedHost"] = () => null;
  /** The language of chats. */
  language: Language = "en";
  readonly #peopleChanges = new EventEmitter<{ change: [agentId: string, key: string] }>();
  /** The time of this machine, which a test can set ahead. */
  readonly clock = new AheadClock();
  agent: Agent;

  static async open(patch: Partial<Agent> = {}, home?: string): Promise<Workbench> {
    return new Workbench(home ?? (await mkdtemp(join(tmpdir(), "patchbay-agents-"))), patch);
  }

  private constructor(home: string, patch: Partial<Agent>) {
    this.home = home;
    const at = new Date().toISOString();
    this.agent = {
      id: "a",
      name: "Ada",
      instructions: "Be brief.",
      model: { kind: "none" },
      workspace: home,
      policy: [],
      maxSteps: 40,
      revision: 1,
      createdAt: at,
      updatedAt: at,
      ...patch,
    };
    const options: AgentsOptions = {
      storage: openFileStorage({ home, onNotice: (problem) => void this.notices.push(problem) }),
      pool: this.pool,
      agents: {
        get: (id) => (id === this.agent.id ? this.agent : undefined),
        revise: async (_id, change) => {
          const patch = change(this.agent) as Partial<Agent>;
          this.agent = { ...this.agent, ...patch, revision: this.agent.revision + 1 };
          return this.agent;
        },
      },
      registry: { get: (key) => ({ trust: this.trust.get(key) ?? "unverified" }) },
      agentPlugins: { report: (_id, key, { lastError }) => void this.reports.push({ key, lastError }) },
      vault: {
        resolve: (name) => this.secrets.get(name),
        redact: (text) => [...this.secrets.values()].reduce((all, one) => all.replaceAll(one, "•••"), text),
      },
      settings: { get: () => ({ limits: this.limits }) },
      audit: { record: (...events) => void this.audit.push(...events) },
      refusedHost: (call) => this.refusedHost(call),
      rights: {
        roleOf: (agentId, key, userId) => {
          const letIn = this.people
            .get(`${agentId}/${key}`)
            ?.find((person) => person.userId === userId)?.status;
          return this.roles.get(userId) ?? (letIn === "owner" || letIn === "user" ? letIn : undefined);
        },
        mayDecide: (_agentId, key) => this.deciding.has(key),
        rulesOf: (_agentId, key) => this.rules.get(key) ?? null,
      },
      people: {
        of: (agentId, key) => this.people.get(`${agentId}/${key}`) ?? [],
        change: async (agentId, key, edit) => {
          const name = `${agentId}/${key}`;
          this.people.set(name, edit(this.people.get(name) ?? []));
          this.#peopleChanges.emit("change", agentId, key);
        },
        onChange: (listener) => {
          this.#peopleChanges.on("change", listener);
          return () => this.#peopleChanges.off("change", listener);
        },
      },
      languages: { of: () => this.language, onChange: () => () => {} },
      clock: this.clock,
      onNotice: (problem) => void this.notices.push(problem),
    };
    this.agents = new Agents(options);
    this.replays = replaysOf(this.agents, options, {
      start: () => Promise.reject(new Error("no plugin of the workbench has other versions")),
      end: async () => {},
    });
  }

  /** Gives the agent a scripted model. */
  async script(steps: unknown[]): Promise<void> {
    const file = join(this.home, "script.json");
    await writeFile(file, JSON.stringify(steps));
    this.agent = { ...this.agent, model: { kind: "scripted", file } };
  }

  /** Runs a prompt to its end. */
  async prompt(text: string, input: Partial<PromptInput> = {}): Promise<TurnEvent[]> {
    const events: TurnEvent[] = [];
    const turn = this.agents.prompt("a", { text, caller: { kind: "owner" }, ...input });
    for await (const event of turn) events.push(event);
    return events;
  }

  call(
    tool: string,
    input: Record<string, unknown> = {},
    more: Partial<Parameters<Agents["tools"]["call"]>[0]> = {},
  ) {
    return this.agents.tools.call({
      agentId: "a",
      sessionId: "s",
      turnId: null,
      tool,
      input,
      caller: { kind: "owner" },
      signal: new AbortController().signal,
      ...more,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agents.close();
    await rm(this.home, { recursive: true, force: true });
  }
}

/** The next time an emitter says something that fits. */
export function next<T>(
  emitter: EventEmitter,
  name: string,
  fits: (value: T) => boolean = () => true,
): Promise<T> {
  return new Promise((resolve) => {
    const listener = (value: T) => {
      if (!fits(value)) return;
      emitter.off(name, listener);
      resolve(value);
    };
    emitter.on(name, listener);
  });
}

/** The one event of a type; throws when there is none. */
export function only<K extends TurnEvent["type"]>(
  events: readonly TurnEvent[],
  type: K,
): Extract<TurnEvent, { type: K }> {
  const found = events.find((event) => event.type === type);
  if (!found) throw new Error(`no ${type} among ${events.map((event) => event.type).join(", ")}`);
  return found as Extract<TurnEvent, { type: K }>;
}

/** Listens to tool.after and gathers what it is told. */
export function afterwards(bench: Workbench): { outcome: string; toolName: string; error?: string }[] {
  const told: { outcome: string; toolName: string; error?: string }[] = [];
  bench.pool.on("observer", "tool.after@v1", (payload: never) => void told.push(payload));
  return told;
}

/** What a channel passes on from a chat. */
export function message(text: string, more: object = {}) {
  return { conversation: "chat-1", userId: "7", text, signal: new AbortController().signal, ...more };
}
