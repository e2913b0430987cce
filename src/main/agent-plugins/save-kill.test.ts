import { cp, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AgentInput, grantsOf, type InstanceView, type Plugin } from "../../contract/index.ts";
import { AgentPlugins, AgentStore, type PluginRegistry } from "../registry/index.ts";
import { findReferences, resolveReferences, Vault } from "../secrets/index.ts";
import { readRecord } from "../setup/persist/record.ts";
import { openFileStorage } from "../store/index.ts";
import { AgentPluginService } from "./agent-plugin-service.ts";

const plugin = {
  manifestKey: "mail",
  displayName: "Mail",
  runtime: "native",
  capabilities: { tools: { namespace: "mail" } },
  declaration: {
    configSchema: null,
    defaultConfig: null,
    settingsRoot: ["tools"],
    secretKeys: [
      { key: "token", label: "Token", path: ["tools", "token"] },
      { key: "pin", label: "Pin", path: ["tools", "pin"] },
    ],
    requiredHooks: [],
  },
} as unknown as Plugin;
const registry = {
  get: (key: string) => (key === "mail" ? plugin : undefined),
  list: () => [plugin],
} as PluginRegistry;
const emptyRegistry = { get: () => undefined, list: () => [] } as unknown as PluginRegistry;
const onNotice = () => {
  throw new Error("A file was damaged.");
};

const ada: AgentInput = {
  id: "ada",
  name: "Ada",
  instructions: "",
  model: { kind: "none" },
  policy: [],
  maxSteps: 5,
};

/** One run of the app over a home folder. A `Blade` may kill it in the middle. */
interface Run {
  owner: AgentPluginService;
  agents: AgentStore;
  rows: AgentPlugins;
  vault: Vault;
}

/** Ends the app at one of its writes: nothing is written from there on, as after SIGKILL. */
class Blade {
  readonly #at: number;
  #writes = 0;
  fallen = false;

  /** @param at the boundary: 0 before the first write, 1 after it, and so on */
  constructor(at: number) {
    this.#at = at;
  }

  /** The same object, whose methods of these names are writes. */
  over<T extends object>(stores: T, ...writes: (keyof T)[]): T {
    return new Proxy(stores, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        const method = value.bind(target) as (...args: unknown[]) => unknown;
        if (!writes.includes(name as keyof T)) return method;
        return async (...args: unknown[]) => {
          this.#fall();
          const result = await method(...args);
          this.#writes += 1;
          this.#fall();
          return result;
        };
      },
    });
  }

  #fall(): void {
    this.fallen ||= this.#writes === this.#at;
    if (this.fallen) throw new Error("killed");
  }
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-save-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const never = new Blade(Number.POSITIVE_INFINITY);

async function open(home: string, blade = never, plugins = registry): Promise<Run> {
  const storage = openFileStorage({ home, onNotice });
  const { places } = storage;
  const rooms = blade.over(storage.agents, "make");
  const removed = blade.over(storage.removed, "take");
  const rowsOf: typeof storage.rows = (...collection) => storage.rows(...collection);
  const agents = new AgentStore({ storage: { rows: rowsOf, agents: rooms, removed, places } });
  const rows = new AgentPlugins({ storage, onNotice });
  const vault = await Vault.open({ storage, onNotice });
  const owner = new AgentPluginService({
    registry: plugins,
    agents: blade.over(agents, "create", "update", "remove"),
    agentPlugins: blade.over(rows, "set", "forget", "notePending", "report"),
    vault: blade.over(vault, "set", "setAll", "remove", "removeAll", "removeAgent"),
    runtimes: [],
    permissions: { of: (_agentId, { consent }) => grantsOf(consent), granted: () => {} },
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
    audit: { record: async () => {} },
  });
  await owner.recover();
  return { owner, agents, rows, vault };
}

/** What a start of the app finds: the agent, the row with its secrets in place, and what should not be there. */
async function found(home: string): Promise<unknown> {
  const { agents, rows, vault } = await open(home);
  const row = rows.get("ada", "mail");
  const { config, missing } = resolveReferences(row?.config ?? {}, (name) => vault.resolve(name, "ada"));
  const { finished } = readRecord(row);
  const names = vault.list().map(({ name }) => name);
  const needed = new Set([...findReferences(row?.config), finished?.credentials, finished?.grant]);
  const needless = names.filter((name) => !needed.has(name));
  const isPending = row !== undefined && "pending" in row;
  await rows.close();
  await vault.close();
  const { account = null, grant = null, credentials = null } = finished ?? {};
  const agent = agents.get("ada")?.name ?? null;
  const enabled = row?.enabled ?? null;
  return { agent, enabled, config, account, grant, credentials, missing, needless, isPending };
}

const setUp = (run: Run) =>
  run.owner.configure("ada", "mail", {
    enabled: true,
    config: { tools: { city: "Bern" } },
    secrets: { token: "token-one", pin: "pin-one" },
  });
const signIn = (run: Run, account: string) =>
  run.owner.finishSetup({
    agentId: "ada",
    plugin,
    reason: "first",
    typed: [],
    credentials: { device: { key: `key of ${account}` } },
    outcome: {
      config: { tools: { city: "Rome", session_token: `session of ${account}` } },
      secrets: { token: `token of ${account}` },
      account,
      sensitive: [],
      grant: {
        accessToken: `access of ${account}`,
        tokenType: "bearer",
        client: { id: "x" },
        endpoints: { issuer: "https://a.b", token: "https://a.b/t" },
      },
      whole: false,
      check: async () => {},
    },
  });

/**
 * `states`: the most different states that may be found over all kills. Two for one step (before and after); one more
 * for each state between two whole steps.
 */
const acts: [
  name: string,
  states: number,
  before: (run: Run) => Promise<unknown>,
  act: (run: Run) => Promise<unknown>,
][] = [
  ["the first save", 2, async () => {}, setUp],
  [
    "a save that rotates a secret and changes a setting",
    2,
    setUp,
    ({ owner }) =>
      owner.configure("ada", "mail", {
        config: { tools: { city: "Rome", token: `\${MAIL_TOKEN}`, pin: `\${MAIL_PIN}` } },
        secrets: { token: "token-two" },
      }),
  ],
  [
    "a save that rotates one secret, removes another and switches off",
    2,
    setUp,
    ({ owner }) => owner.configure("ada", "mail", { enabled: false, secrets: { token: "two", pin: "" } }),
  ],
  ["a switch", 2, setUp, ({ owner }) => owner.switch("ada", "mail", false)],
  ["the first setup", 2, async () => {}, (run) => signIn(run, "ada@a.b")],
  ["a setup over an older one", 2, (run) => signIn(run, "ada@a.b"), (run) => signIn(run, "eva@a.b")],
  ["signing out", 3, (run) => signIn(run, "ada@a.b"), ({ owner }) => owner.signOut("ada", "mail")],
  ["forgetting", 4, (run) => signIn(run, "ada@a.b"), ({ owner }) => owner.forget("ada", "mail")],
  ["removing the agent", 3, (run) => signIn(run, "ada@a.b"), ({ owner }) => owner.agents.forget("ada")],
];

describe.each(acts)("%s, killed at any write", (_name, states, before, act) => {
  test("leaves what was before or what is after, and no secret that nothing refers to", async () => {
    const first = join(folder, "before");
    const run = await open(first);
    await run.agents.create(ada);
    await before(run);
    await run.rows.close();
    await run.vault.close();
    const old = await found(first);
    const seen = [old];
    for (let at = 0; ; at += 1) {
      const home = join(folder, String(at));
      await cp(first, home, { recursive: true });
      const blade = new Blade(at);
      const cut = await open(home, blade);
      await act(cut).catch(() => {});
      await cut.rows.removeAgent("ada");
      await cut.vault.close();
      const now = await found(home);
      expect(now).toMatchObject({ missing: [], needless: [], isPending: false });
      expect(await found(home)).toEqual(now);
      if (!isDeepStrictEqual(now, seen.at(-1))) seen.push(now);
      if (!blade.fallen) break;
    }
    // Signing out switches the plugin off first; forgetting, and removing the agent, end the sign-in before anything
    // goes. Each step by itself is done wholly or not at all.
    expect(seen).toHaveLength(states);
  });
});

test("a new agent finds nothing of a removed one whose secrets were left over when the app ended", async () => {
  const run = await open(folder);
  await run.agents.create(ada);
  await setUp(run);
  // What a kill right after the agent itself is gone leaves.
  await run.rows.removeAgent("ada");
  await run.agents.remove("ada");
  await run.vault.set("OF_A_BACKUP", "eva", "kept for an agent that was never here");
  await run.owner.agents.create(ada);
  expect(run.vault.list().map(({ name }) => name)).toEqual(["OF_A_BACKUP"]);
  await run.rows.close();
  await run.vault.close();
});

test("secrets left over in a vault that cannot be read at the start go when it can", async () => {
  const run = await open(folder);
  await run.agents.create(ada);
  await setUp(run);
  await run.rows.removeAgent("ada");
  await run.agents.remove("ada");
  await run.vault.close();
  const file = join(folder, "vault.json");
  await rename(file, `${file}.away`);
  await mkdir(file);
  const next = await open(folder);
  await rm(file, { recursive: true });
  await rename(`${file}.away`, file);
  expect(next.vault.status().open).toBe(false);
  await next.vault.retry();
  await next.owner.close();
  expect(next.vault.list()).toEqual([]);
  await next.vault.close();
});

test("a plugin that was uninstalled when the app ended is signed out at the next start", async () => {
  const run = await open(folder);
  await run.agents.create(ada);
  await signIn(run, "ada@a.b");
  await run.owner.gone.keep({
    ...plugin,
    packageVersion: "1.0.0",
    source: { kind: "folder", spec: "/mail" },
  } as Plugin);
  await run.rows.close();
  await run.vault.close();
  const kept = await open(folder);
  await kept.owner.close();
  expect(readRecord(kept.rows.get("ada", "mail")).finished).toMatchObject({ account: "ada@a.b" });
  await kept.rows.close();
  await kept.vault.close();
  const next = await open(folder, never, emptyRegistry);
  await next.owner.close();
  const row = next.rows.get("ada", "mail");
  expect(readRecord(row).finished).toMatchObject({ account: null, grant: null, credentials: null });
  expect(new Set(next.vault.list().map(({ name }) => name))).toEqual(new Set(findReferences(row?.config)));
  await next.rows.close();
  await next.vault.close();
});
