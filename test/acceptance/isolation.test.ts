import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePlugin } from "../support/fixture-plugin.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

/**
 * The code of a plugin that returns everything it knows: settings, secrets, what it stored, and which calls its hook
 * saw.
 */
const nosy = `const heard = [];
export default {
  manifestVersion: 1, key: "nosy", displayName: "Nosy", description: "Shows what it knows.",
  tools: {
    namespace: "nosy",
    async start(config, ctx) {
      ctx.reportRuntimeState({ mark: config.mark });
      const tool = (name, execute) => ({ name, description: name, parameters: { type: "object" }, execute });
      return {
        toolsets: [{ id: "nosy", description: "Shows.", tools: [
          tool("keep", async (input) => { await ctx.storage.set("kept", input.value); return "kept"; }),
          tool("know", async (_input, call) => ({ content: [], details: {
            config, heard, agentId: ctx.agentId, calledBy: call.agentId, pid: process.pid,
            kept: await ctx.storage.get("kept"),
            secrets: Object.fromEntries(ctx.secrets.names().map((name) => [name, ctx.secrets.get(name)?.length])),
          } })),
        ] }],
        stop: async () => {},
      };
    },
  },
  hooks: {
    events: ["tool.before@v1"],
    start: async (_config, ctx) => ({
      stop: ctx.on("tool.before@v1", ({ agentId, toolName }) => {
        heard.push(agentId + " " + toolName);
        return { allow: true };
      }),
    }),
  },
};`;

interface Known {
  config: Record<string, string>;
  heard: string[];
  agentId: string;
  calledBy: string;
  pid: number;
  kept?: string;
  secrets: Record<string, number>;
}

describe("two agents with the same plugin", () => {
  let folder: string;
  let app: RunningApp;
  const agents = ["ada", "bob"] as const;
  const known = {} as Record<(typeof agents)[number], Known>;

  const call = (agent: string, tool: string, input: object = {}) =>
    app.rest("POST", `/agents/${agent}/tools/nosy__${tool}/call`, { input, yes: true });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "patchbay-isolation-"));
    const plugin = await writePlugin(join(folder, "nosy"), { key: "nosy", files: { "index.js": nosy } });
    app = await startApp(join(folder, "home"));
    await app.cli("plugin", "install", plugin, "--yes");
    for (const agent of agents) {
      await app.rest("POST", "/agents", { name: agent });
      await app.rest("PUT", "/secrets/TOKEN", {
        value: agent === "ada" ? "short-1" : "a-longer-one",
        agentId: agent,
      });
    }
    await app.rest("PUT", "/secrets/ADAS_ALONE", { value: "for ada", agentId: "ada" });
    for (const agent of agents) {
      const config = { tools: { mark: agent, token: "${TOKEN}" } };
      await app.rest("PUT", `/agents/${agent}/plugins/nosy`, { enabled: true, config });
      await call(agent, "keep", { value: `${agent}'s` });
    }
    for (const agent of agents) known[agent] = ((await call(agent, "know")) as { details: Known }).details;
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("run it in a process of its own each", async () => {
    const pids = agents.map(async (agent) => {
      const row = (await app.rest("GET", `/agents/${agent}/plugins/nosy`)) as { instance: { pid: number } };
      return row.instance.pid;
    });
    expect(new Set(await Promise.all(pids)).size).toBe(2);
    for (const agent of agents) expect(known[agent]).toMatchObject({ agentId: agent, calledBy: agent });
  });

  it("do not see each other's settings", () => {
    expect(known.ada.config.mark).toBe("ada");
    expect(known.bob.config.mark).toBe("bob");
  });

  it("do not see each other's secrets, of the same name or another", () => {
    expect(known.ada.secrets).toEqual({ TOKEN: "short-1".length });
    expect(known.bob.secrets).toEqual({ TOKEN: "a-longer-one".length });
  });

  it("do not see what it stored for the other", () => {
    expect(known.ada.kept).toBe("ada's");
    expect(known.bob.kept).toBe("bob's");
  });

  it("show the state of their own", async () => {
    for (const agent of agents)
      await expect
        .poll(() => app.rest("GET", `/agents/${agent}/plugins/nosy`), { timeout: 10_000 })
        .toMatchObject({ runtimeState: { mark: agent } });
  });

  it("have hooks that hear of their own calls alone", () => {
    for (const agent of agents)
      expect(known[agent].heard).toEqual([`${agent} nosy__keep`, `${agent} nosy__know`]);
  });

  it("fail alone: what one refuses does not stop the other", async () => {
    await app.rest("PUT", "/agents/ada/plugins/nosy", { enabled: false });
    expect(await app.rest("GET", "/agents/ada/plugins/nosy")).toMatchObject({
      instance: { state: "stopped" },
    });
    expect(await call("bob", "know")).toMatchObject({ details: { pid: known.bob.pid } });
  });
});
