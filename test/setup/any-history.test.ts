import { EventEmitter } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { InstanceView, Plugin, SetupStepKind } from "../../src/contract/index.ts";
import { AgentPluginService } from "../../src/main/agent-plugins/agent-plugin-service.ts";
import {
  AgentPlugins,
  AgentStore,
  defaultSettings,
  type PluginRegistry,
} from "../../src/main/registry/index.ts";
import type { PluginRuntime, SetupPluginState } from "../../src/main/runtimes/runtime.ts";
import { findReferences, resolveReferences, Vault } from "../../src/main/secrets/index.ts";
import { IDLE_MS } from "../../src/main/setup/flow/endings.ts";
import { successors } from "../../src/main/setup/flow/steps.ts";
import { PluginCredentials } from "../../src/main/setup/persist/plugin-credentials.ts";
import { Setups } from "../../src/main/setup/setups.ts";
import type { SetupsOptions } from "../../src/main/setup/setups-options.ts";
import { openFileStorage } from "../../src/main/store/index.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { everything, givenWalls } from "../support/open-walls.ts";
import { ScriptedSetup } from "../support/scripted-setup.ts";

const agentIds = ["ada", "bob"] as const;
const keys = ["paired", "typed"] as const;

/** `paired` has a setup of its own, `typed` is a form. */
const plugins = new Map(
  keys.map((key) => {
    const declaration = {
      hasSetup: key === "paired",
      configSchema: null,
      defaultConfig: null,
      settingsRoot: ["tools"],
      secretKeys: key === "typed" ? [{ key: "token", label: "Token", path: ["tools", "token"] }] : [],
      requiredHooks: [],
    };
    const capabilities = { tools: { namespace: key } };
    return [key, { manifestKey: key, displayName: key, runtime: "native", declaration, capabilities }];
  }),
) as unknown as Map<string, Plugin>;

/** The real engine over the real files of a home folder, with plugins' sides that are told what to say. */
class Engine {
  readonly clock = new FakeClock();
  readonly sides: ScriptedSetup[] = [];
  /** Kinds of steps in the order in which they were shown, by session. */
  readonly shown = new Map<string, SetupStepKind[]>();
  /** Where a wizard has shown that it is done. */
  readonly done = new Set<string>();
  readonly #home: string;
  readonly #next: () => SetupPluginState;
  agents!: AgentStore;
  rows!: AgentPlugins;
  vault!: Vault;
  setups!: Setups;

  constructor(home: string, next: () => SetupPluginState) {
    this.#home = home;
    this.#next = next;
  }

  async open(): Promise<void> {
    const onNotice = () => {
      throw new Error("A file was damaged.");
    };
    const storage = openFileStorage({ home: this.#home, onNotice });
    this.agents = new AgentStore({ storage });
    this.rows = new AgentPlugins({ storage, onNotice });
    this.vault = await Vault.open({ storage, onNotice });
    if (this.agents.list().length === 0)
      for (const id of agentIds)
        await this.agents.create({
          id,
          name: id,
          instructions: "",
          model: { kind: "none" },
          policy: [],
          maxSteps: 5,
        });
    const registry = {
      list: () => [],
      get: (key: string) => plugins.get(key),
      changes: new EventEmitter(),
    } as unknown as PluginRegistry;
    const audit = { record: async () => {} };
    const owner = new AgentPluginService({
      registry,
      agents: this.agents,
      agentPlugins: this.rows,
      vault: this.vault,
      runtimes: [],
      permissions: givenWalls(),
      grants: { revoke: async () => {} },
      pool: {
        view: () => ({ state: "stopped" }) as InstanceView,
        apply: async () => {},
        wake: async () => {},
        reconcile: async () => {},
        restart: async () => {},
        forget: async () => {},
        note: () => {},
        offersAnew: () => {},
        stopAgent: async () => {},
      },
      deactivate: async () => {},
      audit,
    });
    const options: SetupsOptions = {
      registry,
      agents: this.agents,
      agentPlugins: this.rows,
      owner,
      vault: this.vault,
      credentials: new PluginCredentials({ vault: this.vault, agentPlugins: this.rows }),
      grants: { scopes: () => [] },
      pool: {
        note() {},
        view: () => ({ reason: null }),
      } as unknown as SetupsOptions["pool"],
      permissions: givenWalls(everything),
      runtimes: [{ id: "native", openSetup: async () => this.#side() } as unknown as PluginRuntime],
      settings: { get: () => defaultSettings },
      audit,
      signIn: {
        ways: async () => [],
        start: () => Promise.reject(new Error("Nobody signs in here.")),
        forItself: () => Promise.reject(new Error("Nobody signs in here.")),
      },
      checkIntegrity: async () => null,
      openUrl: async () => false,
      clock: this.clock,
    };
    this.setups = new Setups(options);
    this.setups.changes.on("setup", (agentId, key) => {
      const view = this.setups.get(agentId, key);
      if (!view) return;
      const kinds = this.shown.get(view.id) ?? [];
      if (kinds.at(-1) !== view.step.kind) kinds.push(view.step.kind);
      this.shown.set(view.id, kinds);
      if (view.step.kind === "done") this.done.add(`${agentId} ${key}`);
    });
    await owner.recover();
    await this.setups.recover();
  }

  /** What quitting does: everything that waits is ended, files are closed. */
  async close(): Promise<void> {
    await this.setups.close();
    await this.rows.close();
    await this.agents.close();
    await this.vault.close();
  }

  /** The settings of a row with the values of its secrets. */
  resolved(agentId: string, key: string): unknown {
    const { config, missing } = resolveReferences(this.rows.get(agentId, key)?.config ?? {}, (name) =>
      this.vault.resolve(name, agentId),
    );
    expect(missing).toEqual([]);
    return config;
  }

  #side(): ScriptedSetup {
    const side = new ScriptedSetup(this.#next);
    this.sides.push(side);
    return side;
  }
}

const state = fc.constantFrom("form", "choice", "external", "done", "done", "error", "throw");
const operation = fc.record({
  name: fc.constantFrom(
    "begin",
    "begin",
    "again",
    "answer",
    "answer",
    "stale",
    "poll",
    "retry",
    "renew",
    "tick",
    "idle",
    "crash",
    "cancel",
    "cancelOther",
    "restart",
    "breathe",
    "breathe",
    "breathe",
  ),
  agentId: fc.constantFrom(...agentIds),
  key: fc.constantFrom(...keys),
});

test("no history of operations leaves the state machine, loses a finished setup or takes a stale answer", async () => {
  let finished = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(state, { minLength: 1, maxLength: 10 }),
      fc.array(operation, { minLength: 10, maxLength: 40 }),
      async (states, operations) => {
        const home = await mkdtemp(join(tmpdir(), "patchbay-history-"));
        let turn = 0;
        const engine = new Engine(home, () => stateOf(states[turn % states.length] as string, ++turn));
        await engine.open();
        try {
          await live(engine, operations);
          await checkAtRest(engine);
          // What is finished is there at the next start, too.
          const before = agentIds.map((id) => keys.map((key) => engine.resolved(id, key)));
          await engine.close();
          expect(engine.sides.filter(({ running }) => running)).toEqual([]);
          expect(engine.clock.waiting).toBe(0);
          await engine.open();
          expect(agentIds.map((id) => keys.map((key) => engine.resolved(id, key)))).toEqual(before);
          for (const { agentId, pluginKey, id } of engine.setups.list())
            await engine.setups.cancel(agentId, pluginKey, id);
          await checkAtRest(engine);
          finished += engine.done.size;
        } finally {
          await engine.close();
          await rm(home, { recursive: true, force: true });
        }
      },
    ),
    { numRuns: 50 },
  );
  expect(finished).toBeGreaterThan(0);
}, 120_000);

function stateOf(name: string, turn: number): SetupPluginState {
  switch (name) {
    case "form":
      return { kind: "awaiting_user_input", fields: [{ key: "a", label: "A", type: "text" }] };
    case "choice":
      return { kind: "awaiting_choice", options: [{ value: "x", label: "X" }] };
    case "external":
      return { kind: "awaiting_external", instructions: "", qrText: `code ${turn}`, pollIntervalMs: 100 };
    case "done":
      return {
        kind: "done",
        config: { tools: { token: `token-${turn}-of-paired`, turn } },
        account: `a${turn}`,
      };
    default:
      return { kind: "error", message: name };
  }
}

async function live(
  engine: Engine,
  operations: { name: string; agentId: string; key: string }[],
): Promise<void> {
  const pending: Promise<unknown>[] = [];
  const old: { agentId: string; key: string; session: string; step: string }[] = [];
  const later = (work: Promise<unknown>) => void pending.push(work.catch(() => {}));
  let typed = 0;
  for (const { name, agentId, key } of operations) {
    const { setups } = engine;
    const view = setups.get(agentId, key);
    if (view) old.push({ agentId, key, session: view.id, step: view.step.id });
    const submit = (answer: Parameters<Setups["submit"]>[4]) =>
      view && later(setups.submit(agentId, key, view.id, view.step.id, answer));
    if (name === "begin") later(setups.begin(agentId, key));
    if (name === "again") later(setups.begin(agentId, key, { again: true }));
    if (name === "retry") submit({ kind: "retry" });
    if (name === "renew") submit({ kind: "renew" });
    if (name === "poll" && view) later(setups.poll(agentId, key, view.id));
    if (name === "tick") engine.clock.advance(1_500);
    if (name === "idle") engine.clock.advance(IDLE_MS);
    if (name === "crash") engine.sides.at(-1)?.crash();
    if (name === "cancel" && view) later(setups.cancel(agentId, key, view.id));
    if (name === "cancelOther") later(setups.cancel(agentId, key, "another"));
    if (name === "breathe") for (let ticks = 0; ticks < 8; ticks += 1) await setImmediate();
    if (name === "answer" && view?.step.kind === "menu") submit({ kind: "choice", choice: "x" });
    else if (name === "answer" && view?.step.kind === "settings")
      submit({
        kind: "settings",
        config: { tools: { turn: ++typed } },
        secrets: { token: `token-${typed}-of-typed` },
      });
    else if (name === "answer") submit({ kind: "values", values: { a: "1" } });
    if (name === "stale") await expectRefused(engine, old);
    if (name === "restart") {
      await engine.close();
      await engine.open();
    }
  }
  await Promise.all(pending);
  for (let ticks = 0; ticks < 20; ticks += 1) await setImmediate();
}

/** Every answer to a step or a session of before is refused, and changes nothing. */
async function expectRefused(
  { setups }: Engine,
  old: { agentId: string; key: string; session: string; step: string }[],
): Promise<void> {
  for (const { agentId, key, session, step } of old.slice(-6)) {
    const now = setups.get(agentId, key);
    if (now?.id === session && now.step.id === step) continue;
    const refused = setups.submit(agentId, key, session, step, { kind: "retry" });
    await expect(refused).rejects.toMatchObject({
      code: now?.id === session ? "SETUP_STALE" : "SETUP_NOT_FOUND",
    });
  }
}

/** What holds whenever nothing is going on. */
async function checkAtRest({ setups, rows, vault, shown, done }: Engine): Promise<void> {
  for (const kinds of shown.values()) {
    for (const [index, kind] of kinds.entries()) {
      const before = kinds[index - 1];
      if (before) expect(successors[before]).toContain(kind);
    }
  }
  for (const agentId of agentIds) {
    const needed = new Set(rows.list(agentId).flatMap(({ config }) => findReferences(config)));
    const stored = vault.list().filter((secret) => secret.agentId === agentId);
    expect(stored.map(({ name }) => name).filter((name) => !needed.has(name))).toEqual([]);
    for (const key of keys) {
      const row = rows.get(agentId, key);
      const step = setups.get(agentId, key)?.step;
      const config = row?.config as { tools?: { token: string; turn: number } } | undefined;
      if (done.has(`${agentId} ${key}`)) expect(config?.tools).toBeDefined();
      if (!config?.tools) {
        // Nothing is finished: nothing is written but that a wizard is open.
        expect(row?.enabled ?? false).toBe(false);
        expect(config ?? {}).toEqual({});
        if (!step) expect(row).toBeUndefined();
        expect(step?.kind).not.toBe("done");
        continue;
      }
      expect(row?.enabled).toBe(true);
      const { token, turn } = config.tools;
      const name = /^\$\{(\w+)\}$/.exec(token)?.[1] ?? "";
      expect(vault.resolve(name, agentId)).toBe(`token-${turn}-of-${key}`);
    }
  }
}
