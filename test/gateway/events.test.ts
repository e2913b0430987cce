import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AppChange, AppEvent } from "../../src/contract/index.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { connectSocket } from "./support.ts";

type Events = AsyncIterator<AppEvent>;

describe("the live stream", () => {
  let home: string;
  let app: RunningApp;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "patchbay-events-"));
    app = await startApp(home);
    await app.cli("plugin", "install", resolve("test/fixtures/plugins/echo"), "--yes");
  });
  afterAll(async () => {
    await app.close();
    await rm(home, { recursive: true, force: true });
  });

  async function next(events: Events): Promise<AppEvent> {
    const { value, done } = await events.next();
    if (done) throw new Error("the stream ended");
    return value;
  }
  /** Reads until a change fits; answers it and where the stream then is. */
  async function until(events: Events, fits: (change: AppChange) => boolean) {
    for (;;) {
      const event = await next(events);
      const found = event.type === "changes" && event.changes.find(fits);
      if (found) return { change: found, epoch: event.epoch, seq: event.seq };
    }
  }
  const isRow = (enabled: boolean) => (change: AppChange) =>
    change.type === "put" && change.collection === "agentPlugins" && change.item.enabled === enabled;

  it("tells what others do as it happens", async () => {
    const { client, socket } = await connectSocket(app);
    const events = await client.app.events({});
    expect(await next(events)).toMatchObject({ type: "hello" });
    await app.rest("PUT", "/agents/helper/plugins/echo", { enabled: true });
    const { change } = await until(events, isRow(true));
    expect(change).toMatchObject({ item: { agentId: "helper", pluginKey: "echo" } });
    socket.close();
  });

  it("goes on after a lost connection without missing anything", async () => {
    const first = await connectSocket(app);
    const events = await first.client.app.events({});
    await next(events);
    await app.rest("PUT", "/agents/helper/plugins/echo", { enabled: false });
    const { epoch, seq } = await until(events, isRow(false));
    first.socket.terminate();

    await app.rest("POST", "/agents", { name: "Made meanwhile" });

    const second = await connectSocket(app);
    const resumed = await second.client.app.events({ epoch, seq });
    expect(await next(resumed)).toMatchObject({ type: "hello", epoch, seq });
    const { change } = await until(
      resumed,
      (one) => one.type === "put" && one.collection === "agents" && one.item.id === "made-meanwhile",
    );
    expect(change).toMatchObject({ item: { name: "Made meanwhile" } });
    second.socket.close();
  });

  it("asks for the snapshot again when the app is another one by now", async () => {
    const { client, socket } = await connectSocket(app);
    const events = await client.app.events({ epoch: "of-an-earlier-start", seq: 3 });
    const first = await next(events);
    expect(first).toMatchObject({ type: "resync" });
    const snapshot = await client.app.snapshot();
    expect(snapshot.epoch).toBe(first.epoch);
    expect(snapshot.seq).toBeGreaterThanOrEqual(first.seq);
    expect(snapshot.agents.map((agent) => agent.id)).toContain("helper");
    socket.close();
  });

  it("works as server-sent events over REST", async () => {
    const gone = new AbortController();
    const answer = await fetch(`${app.url}/api/events`, {
      headers: { authorization: `Bearer ${app.token}` },
      signal: gone.signal,
    });
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = "";
    while (!seen.includes('"hello"')) seen += (await reader?.read())?.value ?? "";
    await app.rest("POST", "/agents", { name: "Over REST" });
    while (!seen.includes("Over REST")) seen += (await reader?.read())?.value ?? "";
    gone.abort();
  });

  it("streams a turn, and what is installed", async () => {
    const { client, socket } = await connectSocket(app);
    const job = await client.jobs.install({ spec: resolve("test/fixtures/plugins/base-trio"), yes: true });
    const phases = new Set<string>();
    for await (const state of await client.jobs.watch({ id: job.id })) phases.add(state.phase);
    expect([...phases]).toContain("place");
    expect(await client.jobs.get({ id: job.id })).toMatchObject({ status: "done" });
    const kinds: string[] = [];
    for await (const event of await client.sessions.prompt({ agentId: "helper", text: "/help" }))
      kinds.push(event.type);
    expect(kinds).toEqual(["command"]);
    socket.close();
  });
});
