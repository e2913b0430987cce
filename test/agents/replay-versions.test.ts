import { execFileSync } from "node:child_process";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRouterClient } from "@orpc/server";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createApp } from "../../src/main/app/create-app.ts";
import { callerHere } from "../../src/main/authority/index.ts";
import { testPlatform } from "../catalog/support.ts";
import { writePlugin } from "../support/fixture-plugin.ts";

type App = Awaited<ReturnType<typeof createApp>>;
const clientOf = (of: App) => createRouterClient(of.router, { context: { caller: callerHere() } });
type Turn = { agentId: string; sessionId: string; turnId: string };

let root: string;
let app: App;
let client: ReturnType<typeof clientOf>;
/** Recorded with 1.0.0, and with 2.0.0 installed. */
let older: Turn;
let newer: Turn;

/** Says goodbye in the words of its version. Says on each start under which process, and what it has kept. */
const warden = (bye: string, slow = "") => `export default {
  manifestVersion: 1, key: "warden", displayName: "Warden", description: "Watches.",
  hooks: {
    events: ["message.final@v1"],
    async start(_config, { storage, logger }) {
      return {
        handlers: {
          "message.final@v1": async ({ text }) => {
            logger.info("kept=" + (await storage.get("last")));
            await storage.set("last", ${JSON.stringify(bye)});
            ${slow}
            return { text: text + " " + ${JSON.stringify(bye)} };
          },
        },
        stop: async () => {},
      };
    },
  },
};`;

async function install(version: string, code: string): Promise<void> {
  const dir = await writePlugin(join(root, "warden"), {
    key: "warden",
    version,
    files: { "index.js": code },
  });
  const { id } = await client.jobs.install({ spec: dir, yes: true });
  for await (const job of await client.jobs.watch({ id }))
    if (job.endedAt) {
      expect(job).toMatchObject({ status: "done", problem: null });
      return;
    }
}

async function record(text: string): Promise<Turn> {
  const { id: sessionId } = await client.sessions.create({ agentId: "ada" });
  for await (const _event of await client.sessions.prompt({ agentId: "ada", sessionId, text }));
  const [turn] = await client.traces.turns({ agentId: "ada", sessionId });
  return { agentId: "ada", sessionId, turnId: turn?.turnId ?? "" };
}

/** The processes that this one started, and theirs. */
function processes(): string[] {
  // There is no `ps`.
  if (process.platform === "win32") return [];
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" }).trim().split("\n");
  const all = lines.map((line) => line.trim().split(/\s+/)).filter(([, , name]) => name !== "ps");
  const found = new Set([String(process.pid)]);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const [pid, parent] of all) if (pid && parent && found.has(parent)) found.add(pid);
  }
  return [...found].sort();
}

const row = () => client.agentPlugins.get({ agentId: "ada", key: "warden" });

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "patchbay-versions-"));
  app = await createApp(await testPlatform(join(root, "home")), {});
  client = clientOf(app);
  app.gatewayOpened("http://127.0.0.1:0");
  const file = join(root, "script.json");
  await writeFile(file, JSON.stringify([...Array(2).fill({ say: "It is done." }), { say: "It was slow." }]));
  await client.agents.create({ id: "ada", name: "Ada", model: { kind: "scripted", file } });
  await install("1.0.0", warden("Farewell.", 'if (text.includes("slow")) await new Promise(() => {});'));
  await client.agentPlugins.set({ agentId: "ada", key: "warden", enabled: true });
  older = await record("Work.");
  await install("2.0.0", warden("Goodbye."));
  newer = await record("Work.");
}, 120_000);

afterAll(async () => {
  await app?.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

test("a kept version is asked in the place of the installed one, and is the one difference", async () => {
  const before = await row();
  const running = processes();
  const run = (of: Turn, versions: Record<string, string>) =>
    client.replays.run({ ...of, plugins: "live", versions });

  const replay = await run(newer, { warden: "1.0.0" });
  const compared = await client.replays.compare({
    agentId: "ada",
    left: newer,
    right: { replayId: replay.id },
  });
  const own = compared.rows.flatMap(({ left, differences }) =>
    differences.filter(({ follows }) => !follows).map(({ kind }) => `${left?.name} ${left?.owner} ${kind}`),
  );
  expect(own).toEqual(["message.final@v1 warden changes"]);
  expect(replay).toMatchObject({ own: 1, versions: { warden: "1.0.0" } });

  expect(await run(newer, {})).toMatchObject({ own: 0, following: 0 });
  expect(await run(newer, { warden: "2.0.0" })).toMatchObject({ own: 0, following: 0 });
  expect(await run(older, { warden: "1.0.0" })).toMatchObject({ own: 0, following: 0 });
  expect(await run(older, {})).toMatchObject({ own: 1 });

  // It reads what is stored, and writes nothing there; its line is in the replay alone, and its process is gone.
  const kept = async (replayId: string) => {
    const events = await client.replays.turn({ agentId: "ada", replayId });
    return events.flatMap((event) => (event.type === "log" ? [event.text] : []));
  };
  expect(await kept(replay.id)).toEqual(["kept=Goodbye."]);
  expect(await kept((await run(newer, {})).id)).toEqual(["kept=Goodbye."]);
  await vi.waitFor(() => expect(processes()).toEqual(running), { timeout: 20_000 });
  const after = await row();
  expect(after.instance).toMatchObject({ state: "running", generation: before.instance.generation });
}, 60_000);

test("a turn that was kept as a test is judged by a kept version, too", async () => {
  const { text: file } = await client.replays.keep(newer);
  const judge = async (versions: Record<string, string>) => {
    const { compared } = await client.replays.judge({ agentId: "ada", file, versions });
    return compared.own;
  };
  expect(await judge({})).toBe(0);
  expect(await judge({ warden: "2.0.0" })).toBe(0);
  expect(await judge({ warden: "1.0.0" })).toBe(1);
  await expect(judge({ warden: "3.0.0" })).rejects.toThrow("Version 3.0.0 of Warden is not kept.");
});

test("a version that is not kept, one that is left out as well, and one that may not run are refused in words", async () => {
  const run = (wish: object) => client.replays.run({ ...newer, plugins: "live", ...wish });
  await expect(run({ versions: { warden: "3.0.0" } })).rejects.toThrow(
    "Version 3.0.0 of Warden is not kept. Kept beside 2.0.0, which is installed: 1.0.0.",
  );
  await expect(run({ versions: { nobody: "1.0.0" } })).rejects.toThrow("The plugin nobody is not installed.");
  await expect(run({ versions: { warden: "1.0.0" }, without: ["warden"] })).rejects.toThrow("left out");
  await expect(run({ plugins: "recorded", versions: { warden: "1.0.0" } })).rejects.toThrow(
    "have to be asked",
  );
  await client.agentPlugins.set({ agentId: "ada", key: "warden", enabled: false });
  await expect(run({ versions: { warden: "1.0.0" } })).rejects.toThrow(
    "Warden may not run for this agent now",
  );
  await client.agentPlugins.set({ agentId: "ada", key: "warden", enabled: true });
}, 60_000);

test.skipIf(process.platform === "win32")(
  "nothing is left running of a replay that is stopped",
  async () => {
    const slow = await record("Work slowly.");
    const before = processes();
    const stop = new AbortController();
    const running = client.replays
      .run({ ...slow, plugins: "live", versions: { warden: "1.0.0" } }, { signal: stop.signal })
      .catch((error: unknown) => error);
    await vi.waitFor(() => expect(processes().length).toBeGreaterThan(before.length), { timeout: 20_000 });
    stop.abort();
    await running;
    await vi.waitFor(() => expect(processes()).toEqual(before), { timeout: 20_000 });
    expect((await row()).instance.state).toBe("running");
  },
  60_000,
);

test("a version that does not start says why, and the installed one goes on", async () => {
  const { previous } = await client.plugins.get({ key: "warden" });
  const artifact = previous[0]?.artifact;
  const dir = artifact && "dir" in artifact ? artifact.dir : "";
  await appendFile(join(dir, "index.js"), "// changed");
  const run = client.replays.run({ ...newer, plugins: "live", versions: { warden: "1.0.0" } });
  await expect(run).rejects.toThrow(/^Warden 1\.0\.0 did not start\. The files of .* are not those/);
  expect(await row()).toMatchObject({ lastError: null, instance: { state: "running" } });
  expect(await client.replays.run({ ...newer, plugins: "live" })).toMatchObject({ own: 0 });
}, 60_000);
