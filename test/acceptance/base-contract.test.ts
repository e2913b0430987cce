import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningApp, startApp } from "../support/running-app.ts";

/** A chat server that gives out messages one by one and collects the answers. */
class ChatServer {
  private readonly waiting: ServerResponse[] = [];
  private readonly queue: unknown[] = [];
  private readonly sent: { chat: string; text: string }[] = [];
  private readonly server = createServer(async (request, response) => {
    if (request.url === "/next") {
      this.waiting.push(response);
      return this.deliver();
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.sent.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.end("{}");
    this.server.emit("sent");
  });

  async listen(): Promise<string> {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  say(message: { chat: string; from: string; text: string }): void {
    this.queue.push(message);
    this.deliver();
  }

  async answer(): Promise<{ chat: string; text: string }> {
    while (this.sent.length === 0) await once(this.server, "sent");
    return this.sent.shift() as { chat: string; text: string };
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private deliver(): void {
    if (this.queue.length === 0) return;
    const response = this.waiting.shift();
    if (response) response.end(JSON.stringify(this.queue.shift()));
  }
}

describe("a package written to the base contract alone", () => {
  const chat = new ChatServer();
  let home: string;
  let app: RunningApp;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "patchbay-base-"));
    const server = await chat.listen();
    const script = join(home, "script.yaml");
    await writeFile(
      script,
      "- call: {tool: base__shout, input: {text: hello}}\n- say: It was loud.\n- say: And again.\n",
    );
    app = await startApp(join(home, "home"));
    await app.cli("agent", "create", "Chatty", "--model", `scripted:${script}`);
    await app.cli("plugin", "install", resolve("test/fixtures/plugins/base-complete"), "--yes");
    await app.cli(
      "plugin",
      "config",
      "base-complete",
      "--agent",
      "chatty",
      "--set",
      `tools=${JSON.stringify({ mark: "!" })}`,
      "--set",
      `channel=${JSON.stringify({ server })}`,
    );
    await app.cli("plugin", "enable", "base-complete", "--agent", "chatty");
  });

  afterAll(async () => {
    await app.close();
    chat.close();
    await rm(home, { recursive: true, force: true });
  });

  it("offers its tool, with its own part of the settings", async () => {
    const answer = await app.cli(
      "tool",
      "call",
      "base__shout",
      "--agent",
      "chatty",
      "--input",
      '{"text":"ahoi"}',
      "--yes",
    );
    expect(answer).toMatchObject({ content: [{ type: "text", text: "AHOI!" }] });
  });

  it("hears of tool calls through its hook", async () => {
    const answer = await app.cli("tool", "call", "base__heard", "--agent", "chatty", "--yes");
    expect(answer).toMatchObject({ content: [{ type: "text", text: "base__shout base__heard" }] });
  });

  it("brings messages in through its channel and takes the answers out", async () => {
    chat.say({ chat: "42", from: "ada", text: "Shout hello." });
    expect(await chat.answer()).toEqual({ chat: "42", text: "It was loud." });
  });

  it("may not use plugin tools on behalf of a channel user before the owner opens them", async () => {
    const sessions = (await app.rest("GET", "/agents/chatty/sessions")) as {
      id: string;
      source: { kind: string };
    }[];
    const fromChannel = sessions.find((session) => session.source.kind === "channel");
    const trace = (await app.rest("GET", `/agents/chatty/sessions/${fromChannel?.id}/trace`)) as {
      type: string;
      call?: { tool?: string; outcome?: string };
    }[];
    expect(
      trace.filter((entry) => entry.type === "tool").map((entry) => [entry.call?.tool, entry.call?.outcome]),
    ).toEqual([["base__shout", "denied"]]);
  });

  it("keeps a second message of the same chat in the same conversation", async () => {
    chat.say({ chat: "42", from: "ada", text: "And now?" });
    expect(await chat.answer()).toEqual({ chat: "42", text: "And again." });
    const sessions = (await app.rest("GET", "/agents/chatty/sessions")) as { source: { kind: string } }[];
    expect(sessions.filter((session) => session.source.kind === "channel")).toHaveLength(1);
  });
});
