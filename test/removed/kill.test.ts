import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type {
  Agent,
  AgentPluginView,
  PluginView,
  RemovedThing,
  SecretInfo,
  Session,
  SessionEntry,
  Snapshot,
} from "../../src/contract/index.ts";
import { weather } from "../agent-plugins/weather.ts";
import { type Bench, openBench } from "../cli/support.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

/** How often the app is killed; `PATCHBAY_KILL_RUNS` sets another number. */
const runs = Number(process.env.PATCHBAY_KILL_RUNS ?? 8);

let bench: Bench;
let folder: string;
let app: RunningApp;

beforeEach(async () => {
  bench = await openBench();
  folder = await mkdtemp(join(tmpdir(), "patchbay-removed-"));
  app = await startApp(bench.home);
});
afterEach(async () => {
  await app.close();
  await bench.remove();
  await rm(folder, { recursive: true, force: true });
});

type Kind = "plugin" | "agent" | "session";
const kinds: readonly Kind[] = ["plugin", "agent", "session"];

it(
  `has each thing whole, in use or among the removed ones, whenever the app is killed while one is removed or restored (${runs} times)`,
  async () => {
    const dir = await writePlugin(join(folder, "weather"), {
      key: "weather",
      files: { "index.js": weather },
    });
    await app.cli("plugin", "install", dir, "--yes");
    await app.rest("POST", "/agents", { name: "Writer", id: "writer" });
    await app.rest("PUT", "/agents/writer/plugins/weather", {
      enabled: true,
      config: { tools: { city: "Rome" } },
      secrets: { token: "token of Rome" },
    });
    const { id: session } = (await app.rest("POST", "/agents/writer/sessions", {
      title: "The talk",
    })) as Session;
    const lines = (await app.rest("GET", `/agents/writer/sessions/${session}`)) as SessionEntry[];
    const outcomes = { before: 0, after: 0 };
    /**
     * Milliseconds after which an act is done, by act. Adjusted after each kill that came too early or too late, so that kills
     * fall around that moment.
     */
    const doneMs = new Map<string, number>();
    for (let run = 0; run < runs; run += 1) {
      const kind = kinds[run % kinds.length] ?? "plugin";
      const kept = await removed(kind);
      // A conversation is out of reach while its agent is away.
      if (kind === "session" && (await removed("agent"))) continue;
      const act = `${kept ? "restore" : "remove"} ${kind}`;
      const ms = doneMs.get(act) ?? 60;
      await killedAfter(ms * (0.3 + Math.random() * 1.4), () =>
        kept ? app.rest("POST", `/removed/${kept.id}/restore`) : app.rest("DELETE", pathOf(kind, session)),
      );
      app = await startApp(bench.home);
      await assertWhole(session, lines);
      const isDone = ((await removed(kind)) === undefined) === (kept !== undefined);
      outcomes[isDone ? "after" : "before"] += 1;
      doneMs.set(act, ms * (isDone ? 0.85 : 1.2));
    }
    if (runs >= 50) for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(0);
  },
  60_000 + runs * 20_000,
);

it(
  `deletes for good wholly or not at all, whenever the app is killed meanwhile (${runs} times)`,
  async () => {
    const outcomes = { kept: 0, gone: 0 };
    let doneMs = 60;
    for (let run = 0; run < runs; run += 1) {
      await app.rest("POST", "/agents", { name: `Spare ${run}`, id: `spare-${run}` });
      await app.rest("PUT", "/secrets/SPARE_KEY", { value: `value ${run}`, agentId: `spare-${run}` });
      await app.rest("DELETE", `/agents/spare-${run}`);
      const [spare] = (await app.rest("GET", "/removed")) as RemovedThing[];
      await killedAfter(doneMs * (0.3 + Math.random() * 1.4), () =>
        app.rest("DELETE", `/removed/${spare?.id}`),
      );
      app = await startApp(bench.home);
      const left = (await app.rest("GET", "/removed")) as RemovedThing[];
      const secrets = (await app.rest("GET", "/secrets")) as SecretInfo[];
      const folders = await readdir(join(bench.home, "removed"));
      expect(((await app.rest("GET", "/snapshot")) as Snapshot).notices).toEqual([]);
      if (left.length === 0) {
        expect(secrets).toEqual([]);
        expect(folders).toEqual([]);
        outcomes.gone += 1;
        doneMs *= 0.85;
      } else {
        expect(secrets).toHaveLength(1);
        expect(folders).toHaveLength(1);
        outcomes.kept += 1;
        doneMs *= 1.2;
        await app.rest("DELETE", `/removed/${left[0]?.id}`);
      }
    }
    if (runs >= 50) for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(0);
  },
  60_000 + runs * 20_000,
);

function pathOf(kind: Kind, session: string): string {
  switch (kind) {
    case "plugin":
      return "/plugins/weather";
    case "agent":
      return "/agents/writer";
    case "session":
      return `/agents/writer/sessions/${session}`;
  }
}

async function removed(kind: Kind): Promise<RemovedThing | undefined> {
  return ((await app.rest("GET", "/removed")) as RemovedThing[]).find((one) => one.kind === kind);
}

/** Begins an act, and kills the app that many milliseconds later. */
async function killedAfter(ms: number, act: () => Promise<unknown>): Promise<void> {
  const gone = once(app.process, "exit");
  const acted = act().catch(() => {});
  setTimeout(() => app.process.kill("SIGKILL"), ms);
  await gone;
  await acted;
}

/** Each thing is there once, with everything that belongs to it, and nothing else is left over. */
async function assertWhole(session: string, lines: readonly SessionEntry[]): Promise<void> {
  const snapshot = (await app.rest("GET", "/snapshot")) as Snapshot;
  expect(snapshot.notices).toEqual([]);
  const things = (await app.rest("GET", "/removed")) as RemovedThing[];
  expect(new Set(things.map(({ kind }) => kind)).size).toBe(things.length);
  const isRemoved = (kind: Kind) => things.some((one) => one.kind === kind);

  const plugins = (await app.rest("GET", "/plugins")) as PluginView[];
  expect(plugins.map(({ manifestKey, loadProblem }) => [manifestKey, loadProblem])).toEqual(
    isRemoved("plugin") ? [] : [["weather", null]],
  );
  expect(await readdir(join(bench.home, "plugins", "weather"))).toHaveLength(1);
  const secrets = (await app.rest("GET", "/secrets")) as SecretInfo[];
  expect(secrets.map(({ name, agentId }) => [name, agentId])).toEqual([["WEATHER_TOKEN", "writer"]]);

  const agents = (await app.rest("GET", "/agents")) as Agent[];
  expect(agents.map(({ id }) => id)).toEqual(isRemoved("agent") ? ["helper"] : ["helper", "writer"]);
  const rooms = await readdir(join(bench.home, "removed")).catch(() => []);
  expect(rooms).toHaveLength(things.filter(({ kind }) => kind !== "plugin").length);
  if (isRemoved("agent")) return;
  const row = (await app.rest("GET", "/agents/writer/plugins/weather")) as AgentPluginView;
  expect(row).toMatchObject({
    enabled: true,
    config: { tools: { city: "Rome", token: "${WEATHER_TOKEN}" } },
  });
  const sessions = (await app.rest("GET", "/agents/writer/sessions")) as Session[];
  expect(sessions.map(({ id }) => id)).toEqual(isRemoved("session") ? [] : [session]);
  if (!isRemoved("session"))
    expect(await app.rest("GET", `/agents/writer/sessions/${session}`)).toEqual(lines);
}
