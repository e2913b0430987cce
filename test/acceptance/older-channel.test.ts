import { createHmac } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SetupView } from "../../src/contract/index.ts";
import { ChatServer } from "../support/chat-server.ts";
import { writeFiles } from "../support/fixture-plugin.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

const picture =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const painter = `export default {
  manifestVersion: 1, key: "painter", displayName: "Painter", description: "Paints.",
  tools: {
    namespace: "painter",
    start: async () => ({ stop: async () => {}, toolsets: [{ id: "p", description: "Paints.", tools: [
      { name: "draw", description: "Draws.", parameters: { type: "object", properties: {} },
        execute: async () => ({ content: [{ type: "image", data: "${picture}", mimeType: "image/png" }] }) },
    ] }] }),
  },
};`;

/** Each line of the older contract, through a package written to it, a real chat server and the running app. */
describe("an older channel package", () => {
  let chat: ChatServer;
  let home: string;
  let app: RunningApp;
  const path = "/agents/chatty/plugins/older-chat";
  const row = () => app.rest("GET", path) as Promise<Record<string, unknown>>;
  const script = (steps: unknown[]) => writeFile(join(home, "script.json"), JSON.stringify(steps));
  const answerOf = async (update: Parameters<ChatServer["say"]>[0]) => {
    chat.say(update);
    return (await chat.next()).text;
  };
  const setup = (what: string, body: object = {}) =>
    app.rest("POST", `${path}/setup/${what}`, body) as Promise<SetupView>;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "patchbay-older-"));
    chat = await ChatServer.open();
    await writeFiles(join(home, "painter"), {
      "package.json": JSON.stringify({ name: "painter", version: "1.0.0", type: "module", main: "index.js" }),
      "index.js": painter,
    });
    await script([]);
    app = await startApp(join(home, "home"));
    await app.cli("agent", "create", "Chatty", "--model", `scripted:${join(home, "script.json")}`);
    await app.cli("plugin", "install", resolve("test/fixtures/plugins/older-chat"), "--yes");
    await app.cli("plugin", "install", join(home, "painter"), "--yes");
    await app.cli("plugin", "enable", "painter", "--agent", "chatty");
  });

  afterAll(async () => {
    await app.close();
    chat.close();
    await rm(home, { recursive: true, force: true });
  });

  it("is a plugin with a description made for it, its secrets, fields and defaults", async () => {
    expect(await app.rest("GET", "/plugins/older-chat")).toMatchObject({
      description: "Older chat channel",
      capabilities: { channel: { hasSetup: true, namespace: "older" } },
      declaration: {
        legacyChannel: true,
        secretKeys: [{ key: "SIGNING", optional: true, path: ["channel", "SIGNING"] }],
        defaultConfig: { channel: { nickname: "bot" } },
        configSchema: { properties: { channel: { properties: { SIGNING: {}, nickname: {} } } } },
      },
    });
  });

  it("needs setup when its start gives nothing, which is no failure", async () => {
    await app.rest("PUT", path, { enabled: true, secrets: { SIGNING: "sign-me-0815" } });
    expect(await row()).toMatchObject({ instance: { state: "needs_setup" } });
  });

  it("is set up by its own machine, with the context of the contract and nothing else", async () => {
    const form = await setup("begin", { again: true });
    expect(form.step).toMatchObject({ kind: "form", instructions: "Which server?" });
    const shown = await setup("submit", {
      sessionId: form.id,
      stepId: form.step.id,
      answer: { kind: "values", values: { server: chat.url } },
    });
    expect(shown.step).toMatchObject({ kind: "external", qrText: "older-chat:code-1" });
    chat.scan();
    let view = shown;
    while (view.step.kind === "external")
      view = await setup("poll", { sessionId: form.id, stepId: view.step.id });
    expect(view.step.kind).toBe("done");
    expect(await row()).toMatchObject({
      enabled: true,
      config: { channel: { account: "@bot", context: "agentId credentialStore logger" } },
      instance: {
        state: "running",
        contributions: { channel: { name: "older-chat as @bot" } },
      },
    });
  });

  it("sees its settings flat, switched on, with the secret it refers to and nothing of ours", async () => {
    const before = (await row()).config as { channel: object };
    const config = { channel: { ...before.channel, patchbay_owners: ["olga"] } };
    await app.rest("PUT", path, { config, decidesApprovals: true });
    await app.cli("plugin", "restart", "older-chat", "--agent", "chatty");
    const logs = (await app.rest("GET", `${path}/logs`)) as { text: string }[];
    const line =
      logs.findLast(({ text }) => text.startsWith("config "))?.text.slice("config ".length) ?? "{}";
    expect(JSON.parse(line)).toMatchObject({ nickname: "bot", enabled: true, server: chat.url });
    expect(line).not.toContain("patchbay_owners");
    // The log must not show the stored secret. That the plugin did get it is proven by the signature below.
    expect(line).not.toContain("sign-me-0815");
  });

  it("is refused by its own parseConfig in its own words, and goes on with the settings before", async () => {
    const before = (await row()).config as { channel: object };
    await app.rest("PUT", path, { config: { channel: { ...before.channel, nickname: "" } } });
    expect(await row()).toMatchObject({
      instance: { state: "running" },
      refusedSettings: { problem: { message: expect.stringContaining("it needs a nickname") } },
    });
    await app.rest("PUT", path, { config: before });
    expect(await row()).toMatchObject({ instance: { state: "running" } });
  });

  it("brings messages in and answers out, and finds its conversation again after a restart", async () => {
    await script([{ say: "Hello Ada." }, { say: "Again." }]);
    expect(await answerOf({ chat: "7", from: "ada", text: "Hi" })).toBe("Hello Ada.");
    await app.cli("plugin", "restart", "older-chat", "--agent", "chatty");
    expect(await answerOf({ chat: "7", from: "ada", text: "Still there?" })).toBe("Again.");
    const sessions = (await app.rest("GET", "/agents/chatty/sessions")) as {
      source: object;
      about?: object;
    }[];
    expect(sessions.filter(({ about }) => about)).toMatchObject([{ about: { chat: "7" } }]);
  });

  it("ends a conversation with a checkpoint and begins the next", async () => {
    expect(await answerOf({ chat: "7", from: "ada", text: "/new" })).toBe("New conversation started.");
    expect(await answerOf({ chat: "7", from: "ada", text: "Hi" })).toBe("Hello Ada.");
  });

  it("stores what is said in a group without being asked, and keeps silent when told so", async () => {
    await script([{ say: "<NO_REPLY>" }, { say: "Now I speak." }]);
    const group = { chat: "g", group: true, name: "Ada", from: "ada" };
    chat.say({ ...group, text: "Nice weather.", mentioned: false });
    chat.say({ ...group, text: "Bot, listen.", mentioned: true });
    expect(await answerOf({ ...group, text: "Bot, speak.", mentioned: true })).toBe("Now I speak.");
    const sessions = (await app.rest("GET", "/agents/chatty/sessions")) as {
      id: string;
      source: { group?: boolean };
    }[];
    const id = sessions.find(({ source }) => source.group)?.id;
    const entries = (await app.rest("GET", `/agents/chatty/sessions/${id}`)) as {
      type: string;
      text?: string;
    }[];
    expect(
      entries.filter(({ type }) => type === "heard" || type === "user").map(({ type, text }) => [type, text]),
    ).toEqual([
      ["heard", "Ada: Nice weather."],
      ["user", "Ada: Bot, listen."],
      ["user", "Ada: Bot, speak."],
    ]);
  });

  it("brings files in and takes pictures out", async () => {
    await app.rest("PATCH", "/agents/chatty", {
      policy: [{ tool: "painter__draw", effect: "allow", callers: [{ channel: "older-chat" }] }],
    });
    await script([{ call: { tool: "painter__draw", input: {} } }, { say: "A picture." }]);
    const file = {
      name: "note.txt",
      mimeType: "text/plain",
      data: Buffer.from("read me").toString("base64"),
    };
    chat.say({ chat: "files", from: "ada", text: "Look", file });
    const first = await chat.next();
    expect(first.file).toEqual({ name: "picture-1.png", data: picture });
    expect((await chat.next()).text).toBe("A picture.");
    const agent = (await app.rest("GET", "/agents/chatty")) as { workspace: string };
    expect(await readFile(join(agent.workspace, "attachments", "note.txt"), "utf8")).toBe("read me");
  });

  it("cannot use what is not opened to its users, and an owner's chat decides exactly one call", async () => {
    await app.rest("PATCH", "/agents/chatty", {
      policy: [{ tool: "painter__draw", effect: "ask", callers: [{ channel: "older-chat", userId: "ada" }] }],
    });
    const draw = { call: { tool: "painter__draw", input: {} } };
    await script([draw, { say: "May not." }]);
    expect(await answerOf({ chat: "eve", from: "eve", text: "Draw" })).toBe("May not.");
    await script([draw, { say: "Drawn." }]);
    const question = (await answerOf({ chat: "ask", from: "ada", text: "Draw" })) ?? "";
    const number = /\d{4}$/.exec(question)?.[0];
    expect(question).toBe(`May painter__draw run? ${number}`);
    expect(await answerOf({ chat: "ask", from: "ada", text: `yes ${number}` })).toBe("review: 403");
    chat.say({ chat: "home", from: "olga", text: `yes ${number}` });
    const rest = [await chat.next(), await chat.next(), await chat.next()];
    expect(rest.map(({ text, file }) => text ?? file?.name).sort()).toEqual([
      "Drawn.",
      "picture-1.png",
      "review: approved",
    ]);
    const [decided] = (await app.rest("GET", "/approvals/history?agentId=chatty")) as object[];
    expect(decided).toMatchObject({
      status: "allowed",
      scope: "once",
      decidedBy: { kind: "channel", channel: "older-chat", userId: "olga", role: "owner" },
    });
  });

  it("takes webhooks under its namespace, with the body as text; replays and forgeries are its own to refuse", async () => {
    const post = async (body: string, signature: string) => {
      const response = await fetch(`${app.url}/api/agents/chatty/channels/older/webhook`, {
        method: "POST",
        headers: { "x-signature": signature },
        body,
      });
      return `${response.status} ${await response.text()} ${response.headers.get("x-older")}`;
    };
    const body = JSON.stringify({ id: "evt-1" });
    const signature = createHmac("sha256", "sign-me-0815").update(body).digest("hex");
    expect(await post(body, "wrong")).toBe("401 wrong signature null");
    expect(await post(body, signature)).toBe("200 string evt-1 yes");
    expect(await post(body, signature)).toBe("200 seen null");
  });

  it("cannot be replaced by another package with its key or its namespace", async () => {
    const older = await readFile("test/fixtures/plugins/older-chat/index.js", "utf8");
    for (const [name, code, text] of [
      ["thief", "KEY_TAKEN", older],
      ["squatter", "NAMESPACE_TAKEN", older.replace('key: "older-chat"', 'key: "squatter"')],
    ] as const) {
      await writeFiles(join(home, name), {
        "package.json": JSON.stringify({ name, version: "1.0.0", type: "module", main: "index.js" }),
        "index.js": text,
        "agent-client.js": await readFile("test/fixtures/plugins/older-chat/agent-client.js", "utf8"),
      });
      await expect(app.cli("plugin", "install", join(home, name), "--yes")).rejects.toMatchObject({
        stdout: expect.stringContaining(code),
      });
    }
  });

  it("stands beside another package with its key under a key that the person gives it, and works as before", async () => {
    await app.cli("plugin", "install", join(home, "thief"), "--yes", "--key", "older-two");
    expect(await app.rest("GET", "/plugins/older-two")).toMatchObject({
      packageName: "thief",
      capabilities: { channel: { namespace: "older-two", speaksAs: "older" } },
      declaration: { ownKey: "older-chat" },
    });
    await app.cli("plugin", "disable", "older-chat", "--agent", "chatty");
    const two = "/agents/chatty/plugins/older-two";
    const step = (what: string, body: object) =>
      app.rest("POST", `${two}/setup/${what}`, body) as Promise<SetupView>;
    const form = await step("begin", {});
    let view = await step("submit", {
      sessionId: form.id,
      stepId: form.step.id,
      answer: { kind: "values", values: { server: chat.url } },
    });
    chat.scan();
    while (view.step.kind === "external")
      view = await step("poll", { sessionId: form.id, stepId: view.step.id });
    expect(view.step).toMatchObject({ kind: "done" });
    // It names the secret of the first, and does not get it: it needs one of its own.
    expect(await app.rest("GET", two)).toMatchObject({ instance: { reason: { code: "SECRET_NOT_GIVEN" } } });
    await app.rest("PUT", two, { secrets: { SIGNING: "sign-me-0816" } });
    expect(await app.rest("GET", two)).toMatchObject({ instance: { state: "running" } });
    await script([{ say: "From the second." }]);
    expect(await answerOf({ chat: "two", from: "ada", text: "Hi" })).toBe("From the second.");
    await app.cli("plugin", "enable", "older-chat", "--agent", "chatty");
    expect(await row()).toMatchObject({ instance: { state: "running" } });
  });
});
