import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ChatServer } from "../support/chat-server.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

interface Entry {
  type: string;
  text?: string;
  messageId?: string;
}

describe("a channel on the typed client", () => {
  let home: string;
  let chat: ChatServer;
  let app: RunningApp;
  const script = (steps: unknown[]) => writeFile(join(home, "script.json"), JSON.stringify(steps));
  const policy = (rules: object[]) => app.rest("PATCH", "/agents/chatty", { policy: rules });
  const entries = async () => {
    const [session] = (await app.rest("GET", "/agents/chatty/sessions")) as { id: string }[];
    if (!session) return [];
    return (await app.rest("GET", `/agents/chatty/sessions/${session.id}`)) as Entry[];
  };

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "patchbay-client-"));
    chat = await ChatServer.open();
    await script([]);
    app = await startApp(join(home, "home"));
    await app.cli("agent", "create", "Chatty", "--model", `scripted:${join(home, "script.json")}`);
    await app.cli("plugin", "install", resolve("e2e/plugins/postbox"), "--yes");
    await app.rest("PUT", "/agents/chatty/plugins/postbox", {
      enabled: true,
      config: { channel: { server: chat.url, owners: ["olga"] } },
      decidesApprovals: true,
    });
  });
  afterEach(async () => {
    await app.close();
    chat.close();
    await rm(home, { recursive: true, force: true });
  });

  it("keeps tools from its users until they are opened, and an owner's chat decides exactly one call", async () => {
    await app.cli("plugin", "install", await writePlugin(join(home, "echo")), "--yes");
    await app.cli("plugin", "enable", "echo", "--agent", "chatty");
    const call = (text: string) => ({ tool: "echo__echo", input: { text } });
    await script([{ call: call("closed") }, { say: "No." }]);
    chat.say({ chat: "1", from: "eve", text: "Echo" });
    expect((await chat.next()).text).toBe("No.");

    await policy([{ tool: "echo__echo", effect: "ask", callers: [{ channel: "postbox", role: "user" }] }]);
    await script([{ call: [call("one"), call("two")] }, { say: "Said." }]);
    chat.say({ chat: "2", from: "eve", text: "Echo" });
    const first = await chat.next();
    const number = first.text?.slice(-4);
    expect(first).toEqual({ chat: "home", text: `May echo.echo run with {"text":"one"}? ${number}` });
    chat.say({ chat: "2", from: "eve", text: `yes ${number}` });
    expect((await chat.next()).text).toBe("review: NOT_THE_OWNER");
    chat.say({ chat: "home", from: "olga", text: `yes ${number}` });
    const asked = [await chat.next(), await chat.next()].map(({ text = "" }) => text).sort();
    expect(asked[1]).toBe("review: allowed");
    const other = asked[0]?.slice(-4);
    expect(other).not.toBe(number);
    chat.say({ chat: "home", from: "olga", text: `yes ${number}` });
    expect((await chat.next()).text).toBe("review: allowed");
    chat.say({ chat: "home", from: "olga", text: `no ${other}` });
    const rest = [await chat.next(), await chat.next()].map(({ text }) => text).sort();
    expect(rest).toEqual(["Said.", "review: refused"]);
    const history = (await app.rest("GET", "/approvals/history?agentId=chatty")) as object[];
    const by = { kind: "channel", channel: "postbox", userId: "olga", role: "owner" };
    expect(history).toMatchObject([
      { arguments: { text: "two" }, status: "denied", decidedBy: by },
      { arguments: { text: "one" }, status: "allowed", scope: "once", decidedBy: by },
    ]);
  });

  it("answers each message once through kill -9 of the app in the middle of a turn", async () => {
    await script([{ say: "one" }, { say: "slow answer here", delayMs: 60_000 }, { say: "unused" }]);
    chat.say({ chat: "1", from: "ada", text: "First", id: "a" });
    expect((await chat.next()).text).toBe("one");
    chat.say({ chat: "1", from: "ada", text: "Second", id: "b" });
    await expect
      .poll(async () => (await entries()).filter(({ type }) => type === "user").length, { timeout: 10_000 })
      .toBe(2);
    const dead = new Promise((gone) => app.process.once("exit", gone));
    app.process.kill("SIGKILL");
    await dead;
    await script([{ say: "one" }, { say: "answered after all" }, { say: "unused" }]);
    app = await startApp(join(home, "home"));
    chat.say({ chat: "1", from: "ada", text: "Second", id: "b" });
    expect((await chat.next()).text).toBe("answered after all");
    for (const id of ["a", "b"]) {
      chat.say({ chat: "1", from: "ada", text: "Again", id });
      expect((await chat.next()).text).toBe(id === "a" ? "one" : "answered after all");
    }
    const said = (await entries()).filter(({ type }) => type === "user" || type === "assistant");
    expect(said.map(({ text }) => text)).toEqual(["First", "one", "Second", "answered after all"]);
  });

  it("goes on with a turn when the channel's own process is killed, and gives the answer to the next one", async () => {
    await script([{ say: "still here", delayMs: 3_000 }, { say: "unused" }]);
    chat.say({ chat: "1", from: "ada", text: "Hello", id: "a" });
    await expect
      .poll(async () => (await entries()).map(({ type }) => type), { timeout: 10_000 })
      .toContain("user");
    const instance = async () => {
      const row = await app.rest("GET", "/agents/chatty/plugins/postbox");
      return (row as { instance: { pid: number; state: string } }).instance;
    };
    const { pid } = await instance();
    process.kill(pid, "SIGKILL");
    await expect.poll(async () => (await instance()).pid, { timeout: 10_000 }).not.toBe(pid);
    await expect.poll(async () => (await instance()).state, { timeout: 10_000 }).toBe("running");
    chat.say({ chat: "1", from: "ada", text: "Hello", id: "a" });
    expect((await chat.next()).text).toBe("still here");
    const said = (await entries()).filter(({ type }) => type === "user" || type === "turn_end");
    expect(said).toMatchObject([{ messageId: "a" }, { outcome: "done" }]);
  });

  it("shows what went through it, its text only when asked, and sends a message to try it", async () => {
    await script([{ say: "Hi." }]);
    chat.say({ chat: "1", from: "ada", text: "A secret plan" });
    await chat.next();
    const sent = await app.cli("plugin", "test-message", "postbox", "--agent", "chatty");
    expect(sent).toMatchObject({ to: "1" });
    expect(await chat.next()).toEqual({ chat: "1", text: "This is a test message from Patchbay." });
    const traffic = await app.cli("plugin", "traffic", "postbox", "--agent", "chatty");
    expect(traffic).toMatchObject({
      received: 1,
      sent: 2,
      count: 1,
      conversations: [{ conversation: "1", sent: 2 }],
    });
    expect(JSON.stringify(traffic)).not.toContain("secret plan");
    const path = "/agents/chatty/plugins/postbox";
    expect(await app.rest("GET", `${path}/traffic?text=true&limit=1`)).toMatchObject({
      conversations: [
        { lines: [{ direction: "in", userId: "ada", text: "A secret plan" }, { text: "Hi." }, {}] },
      ],
    });
    expect(await app.rest("POST", `${path}/test-message`, { to: "nowhere" })).toMatchObject({
      code: "MESSAGE_NOT_SENT",
      message: "The message was not sent: there is no such chat.",
    });
  });
});
