import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "../../src/contract/index.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { type Answer, ask, type Client, connectSocket } from "./support.ts";

describe("the REST interface", () => {
  let home: string;
  let app: RunningApp;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "patchbay-rest-"));
    app = await startApp(home);
    await app.cli("plugin", "install", resolve("test/fixtures/plugins/echo"), "--yes");
  });
  afterAll(async () => {
    await app.close();
    await rm(home, { recursive: true, force: true });
  });

  const send = (method: string, path: string, body?: string): Promise<Answer> =>
    ask(`${app.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${app.token}`, "content-type": "application/json" },
      body,
    });

  it("refuses a change of what is not there, and one that names what nothing has", async () => {
    const unknown = await send("PUT", "/agents/helper/plugins/nothing", '{"enabled":false}');
    expect(unknown).toMatchObject({ status: 404 });
    expect(unknown.json()).toMatchObject({ message: "The plugin nothing is not installed." });
    for (const [method, path] of [
      ["PUT", "/agents/helper/plugins/echo"],
      ["PATCH", "/agents/helper"],
      ["PATCH", "/settings"],
    ] as const) {
      const misspelt = await send(method, path, '{"enabeld":true}');
      expect(misspelt, path).toMatchObject({ status: 400 });
      expect(misspelt.json()).toMatchObject({
        message: 'What was given holds what is not known: "enabeld".',
      });
    }
  });

  it("makes no other program the Python of plugins than one that was found, unless the person confirms it", async () => {
    const choose = (path: unknown) => send("POST", "/pythons/choose", JSON.stringify({ path }));
    expect(await choose("/bin/sh")).toMatchObject({ status: 400 });
    const named = await send("PATCH", "/settings", '{"python":"/bin/sh"}');
    expect(named).toMatchObject({ status: 403 });
    expect(named.json()).toMatchObject({ code: "CONFIRMATION_NEEDED" });
    const { all } = (await send("GET", "/pythons")).json() as { all: { path: string; usable: boolean }[] };
    const found = all.find(({ usable }) => usable)?.path;
    expect((await choose(found)).json()).toMatchObject({ used: found });
    expect((await choose(null)).status).toBe(200);
    expect((await send("GET", "/settings")).json()).toMatchObject({ python: null });
  });

  it("takes no program as a language server, unless the person confirms it", async () => {
    const set = (servers: unknown) =>
      send("PATCH", "/settings", JSON.stringify({ languageServers: servers }));
    const named = await set([{ command: ["/bin/sh", "-c", "true"], files: [".ts"] }]);
    expect(named).toMatchObject({ status: 403 });
    expect(named.json()).toMatchObject({ code: "CONFIRMATION_NEEDED" });
    expect((await set([])).status).toBe(200);
  });

  it("is described in an OpenAPI document that lists every procedure", async () => {
    const document = (await send("GET", "/openapi.json")).json() as { paths: Record<string, object> };
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = Object.values(contract).flatMap((area) =>
      Object.values(area).map((procedure) => procedure["~orpc"].route),
    );
    expect(routes.length).toBeGreaterThan(40);
    for (const { method, path } of routes) expect(described).toContain(`${method} ${path}`);
  });

  it("documents each kind of answer to a setup step, and says which there are when another one is sent", async () => {
    const { paths } = (await send("GET", "/openapi.json")).json() as { paths: Record<string, unknown> };
    const described = JSON.stringify(paths["/agents/{agentId}/plugins/{key}/setup/submit"]);
    const kinds = ["values", "choice", "settings", "renew", "open", "way", "retry"];
    for (const kind of kinds) expect(described).toContain(`"kind":{"const":"${kind}"}`);
    const flat = { sessionId: "s", stepId: "s.1", answer: { retry: true } };
    const refused = await send("POST", "/agents/helper/plugins/echo/setup/submit", JSON.stringify(flat));
    expect(refused.json()).toMatchObject({
      code: "BAD_INPUT",
      message: expect.stringContaining(`must be one of the kinds ${kinds.join(", ")}`),
    });
  });

  it.each([
    ["/app", contract.app.info],
    ["/snapshot", contract.app.snapshot],
    ["/settings", contract.app.settings],
    ["/used-space", contract.app.usedSpace],
    ["/pythons", contract.pythons.list],
    ["/catalog/search", contract.catalog.search],
    ["/jobs", contract.jobs.list],
    ["/plugins", contract.plugins.list],
    ["/plugins/echo", contract.plugins.get],
    ["/found", contract.plugins.found],
    ["/agents", contract.agents.list],
    ["/agents/helper", contract.agents.get],
    ["/agents/helper/plugins", contract.agentPlugins.list],
    ["/agents/helper/plugins/echo", contract.agentPlugins.get],
    ["/agents/helper/plugins/echo/logs?limit=5", contract.agentPlugins.logs],
    ["/agents/helper/tools", contract.tools.list],
    ["/agents/helper/tools/rights", contract.tools.rights],
    ["/agents/helper/policies", contract.policies.overview],
    ["/agents/helper/hooks", contract.hooks.list],
    ["/agents/helper/commands", contract.commands.list],
    ["/agents/helper/sessions", contract.sessions.list],
    ["/agents/helper/replays", contract.replays.list],
    ["/approvals", contract.approvals.list],
    ["/dialogs", contract.dialogs.list],
    ["/secrets", contract.secrets.list],
  ])("answers GET %s as the contract says", async (path, procedure) => {
    await send("PUT", "/agents/helper/plugins/echo", JSON.stringify({ enabled: true }));
    const answer = await send("GET", path);
    expect(answer.status).toBe(200);
    const schema = procedure["~orpc"].outputSchema;
    expect(schema?.["~standard"].validate(answer.json())).toEqual({ value: answer.json() });
  });

  it("switches a plugin on, sets it, and says what it then is", async () => {
    const path = "/agents/helper/plugins/echo";
    const on = await send("PUT", path, JSON.stringify({ enabled: true, config: { prefix: "> " } }));
    expect(on.status).toBe(200);
    expect(on.json()).toMatchObject({
      enabled: true,
      config: { tools: { prefix: "> " } },
      instance: { state: "running" },
    });
    const listed = (await send("GET", "/agents/helper/plugins")).json();
    expect(listed).toMatchObject([{ pluginKey: "echo", enabled: true }]);
  });

  it("refuses what was decided on an old state, with both values", async () => {
    const path = "/agents/helper/plugins/echo";
    const { revision } = (await send("GET", path)).json() as { revision: number };
    const config = { tools: { prefix: "mine" } };
    const answer = await send("PUT", path, JSON.stringify({ config, revision: revision - 1 }));
    expect(answer.status).toBe(409);
    expect(answer.json()).toMatchObject({
      code: "STALE_REVISION",
      details: { yours: { config }, current: { revision, config: { tools: { prefix: "> " } } } },
    });
  });

  it("says how much is kept, and how much of it are conversations, without following links", async () => {
    const usedSpace = async () =>
      (await send("GET", "/used-space")).json() as { total: number; sessions: number };
    const agent = join(home, "agents", "helper");
    for (const room of ["sessions/one.attachments", "workspace"])
      await mkdir(join(agent, room), { recursive: true });
    const before = await usedSpace();
    await writeFile(join(agent, "sessions/one.attachments/photo.png"), Buffer.alloc(300_000));
    await writeFile(join(agent, "workspace/notes.txt"), Buffer.alloc(500_000));
    await symlink(resolve("out"), join(agent, "workspace/out"));
    const after = await usedSpace();
    expect(after.sessions - before.sessions).toBe(300_000);
    expect(after.total - before.total).toBeGreaterThanOrEqual(800_000);
    expect(after.total - before.total).toBeLessThan(900_000);
  });

  it("runs a tool and says how", async () => {
    const body = { input: { text: "hi" }, yes: true };
    const answer = await app.rest("POST", "/agents/helper/tools/echo__say/call", body);
    expect(answer).toMatchObject({ content: [{ text: "> hi" }], trace: { outcome: "executed" } });
  });

  describe("says what is wrong, always in the same form", () => {
    it.each([
      ["a body that is no JSON", "PUT", "/agents/helper/plugins/echo", '{"enab', 400, "BAD_INPUT", "JSON"],
      [
        "a field of the wrong type",
        "PUT",
        "/agents/helper/plugins/echo",
        '{"enabled":"yes"}',
        400,
        "BAD_INPUT",
        "The enabled must be true or false.",
      ],
      ["a missing field", "POST", "/agents", "{}", 400, "BAD_INPUT", "name"],
      ["an impossible id", "GET", "/agents/NOT-AN-ID", undefined, 400, "BAD_INPUT", "The agent's id must be"],
      ["a list where an object belongs", "POST", "/agents", "[]", 400, "BAD_INPUT", "object"],
      ["an agent that is not there", "GET", "/agents/nobody", undefined, 404, "AGENT_NOT_FOUND", "nobody"],
      [
        "a plugin that is not there",
        "GET",
        "/plugins/nothing",
        undefined,
        404,
        "PLUGIN_NOT_FOUND",
        "nothing",
      ],
      ["a job that is not there", "GET", "/jobs/nothing", undefined, 404, "JOB_NOT_FOUND", ""],
      ["an address that is not there", "GET", "/nothing", undefined, 404, "NOT_FOUND", "/api/nothing"],
      ["a method that is not there", "DELETE", "/app", undefined, 404, "NOT_FOUND", "DELETE"],
    ])("%s", async (_what, method, path, body, status, code, words) => {
      const answer = await send(method, path, body);
      expect(answer.status).toBe(status);
      const problem = answer.json() as { code: string; message: string; help: string };
      expect(problem).toMatchObject({ code, help: expect.any(String) });
      expect(problem.message).toContain(words);
      expect(Object.keys(problem).every((key) => ["code", "message", "help", "details"].includes(key))).toBe(
        true,
      );
    });
  });

  it("names a setting that the schema refuses", async () => {
    await app.cli("plugin", "install", resolve("out/plugins/http"), "--yes");
    const body = JSON.stringify({ config: { tools: { allowedHosts: 3 } } });
    const answer = await send("PUT", "/agents/helper/plugins/http", body);
    expect(answer.status).toBe(422);
    expect(answer.json()).toMatchObject({
      code: "CONFIG_INVALID",
      details: { fields: [{ path: expect.stringContaining("allowedHosts") }] },
    });
  });

  it("says the same of a wrong shape over RPC", async () => {
    const { client, socket } = await connectSocket(app);
    const wrong = { agentId: "helper", key: "echo", enabled: "yes" } as unknown as Parameters<
      Client["agentPlugins"]["set"]
    >[0];
    await expect(client.agentPlugins.set(wrong)).rejects.toMatchObject({
      code: "BAD_INPUT",
      status: 400,
      message: expect.stringContaining("enabled"),
      data: { help: expect.any(String), details: { issues: [{ field: "enabled" }] } },
    });
    socket.close();
  });
});
