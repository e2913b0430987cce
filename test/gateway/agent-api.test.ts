import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { anthropicStream, modelServer, openaiStream } from "../agents/model-server.ts";
import { oggOf, speechServer } from "../agents/speech-server.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

interface BacklogEvent {
  type: string;
  eventId: string;
  text?: string;
}

/** The routes of older channel packages, spoken by hand with the token of a running one. */
describe("the agent API of older channels", () => {
  let home: string;
  let app: RunningApp;
  let token: string;
  let base: string;

  const script = (steps: unknown[]) => writeFile(join(home, "script.json"), JSON.stringify(steps));
  const access = async () => {
    const answer = await fetch(`${app.url}/api/agents/chatty/channels/legacy/webhook`, { method: "POST" });
    const { tokens, base } = (await answer.json()) as { tokens: Record<string, string>; base: string };
    return { token: tokens["legacy-chat"] ?? "", base };
  };
  const call = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> =>
    fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      ...(body !== undefined && {
        body:
          typeof body === "string" || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
      }),
    });
  const codeOf = async (response: Response) =>
    `${response.status} ${((await response.json()) as { code: string }).code}`;
  const say = (id: string, body: unknown, query = "?wait=true", headers = {}) =>
    call("POST", `/sessions/legacy:${id}/messages${query}`, body, headers);
  const textsOf = async (id: string) => {
    const history = (await (await call("GET", `/sessions/legacy:${id}/messages`)).json()) as {
      role: string;
      content: string;
    }[];
    return history.map(({ role, content }) => `${role}: ${content}`);
  };

  const model = (config: object) => app.rest("PATCH", "/agents/chatty", { model: config });
  /** What a reader gets that comes with this cursor, up to where it is told that it has all. */
  const backlog = async (id: string, after = "0"): Promise<BacklogEvent[]> => {
    const response = await call("GET", `/sessions/legacy:${id}/events`, undefined, {
      "last-event-id": after,
    });
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (/^event: ready\n.*\n\n/m.test(text)) break;
    }
    const events = Array.from(text.matchAll(/^data: (.*)$/gm), ([, data]) => JSON.parse(data ?? ""));
    return events.filter(({ type }) => type !== undefined);
  };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "patchbay-agent-api-"));
    await script([]);
    app = await startApp(join(home, "home"));
    await app.cli("agent", "create", "Chatty", "--model", `scripted:${join(home, "script.json")}`);
    await app.cli("plugin", "install", resolve("test/fixtures/plugins/legacy-channel"), "--yes");
    await app.rest("PUT", "/agents/chatty/plugins/legacy-chat", {
      enabled: true,
      config: { channel: { room: "tea" } },
      secrets: { bot_token: "bot-token-4711" },
    });
    ({ token, base } = await access());
  });
  afterAll(async () => {
    await app.close();
    await rm(home, { recursive: true, force: true });
  });

  afterEach(() => model({ kind: "scripted", file: join(home, "script.json") }));

  it("is closed to whoever has no token, another agent's, or another's name", async () => {
    const bare = await fetch(`${base}/sessions`, { headers: { authorization: "Bearer oh_ch_0" } });
    expect(await codeOf(bare)).toBe("401 UNAUTHORIZED");
    const other = base.replace("/chatty", "/helper");
    const foreign = await fetch(`${other}/sessions`, { headers: { authorization: `Bearer ${token}` } });
    expect(await codeOf(foreign)).toBe("403 FORBIDDEN");
    expect(await codeOf(await call("POST", "/sessions", { sessionId: "telegram:1" }))).toBe("403 FORBIDDEN");
    const sender = { channel: "telegram", channelUserId: "1" };
    expect(await codeOf(await say("1", { text: "Hi", sender }))).toBe("403 FORBIDDEN");
  });

  it("ends a token with the start that it was given at, and with the plugin", async () => {
    const old = token;
    await app.cli("plugin", "restart", "legacy-chat", "--agent", "chatty");
    expect(await codeOf(await call("GET", "/sessions"))).toBe("401 UNAUTHORIZED");
    ({ token, base } = await access());
    expect(token).not.toBe(old);
    expect((await call("GET", "/sessions")).status).toBe(200);
    await app.cli("plugin", "disable", "legacy-chat", "--agent", "chatty");
    expect(await codeOf(await call("GET", "/sessions"))).toBe("401 UNAUTHORIZED");
    await app.cli("plugin", "enable", "legacy-chat", "--agent", "chatty");
    ({ token, base } = await access());
  });

  it("finds conversations by what was noted of them, without those that ended", async () => {
    const open = (id: string, metadata: object) =>
      call("POST", "/sessions", {
        sessionId: `legacy:${id}`,
        source: { kind: "channel", type: "group" },
        metadata,
      });
    await open("a", { chat: "1", topic: 5 });
    await open("b", { chat: "1", topic: 6 });
    const list = async (query: string) => {
      const found = (await (await call("GET", `/sessions?${query}`)).json()) as { sessionId: string }[];
      return found.map(({ sessionId }) => sessionId).sort();
    };
    expect(await list("metadata.chat=1")).toEqual(["legacy:a", "legacy:b"]);
    expect(await list("metadata.chat=1&metadata.topic=6&kind=channel&platform=legacy")).toEqual(["legacy:b"]);
    expect(await list("channel=telegram")).toEqual([]);
    expect(await list("metadata.chat=1&limit=1")).toHaveLength(1);
    await call("POST", "/sessions/legacy:a/checkpoint", { reason: "new_session" });
    expect(await list("metadata.chat=1")).toEqual(["legacy:b"]);
    expect(await list("metadata.chat=1&includeInactive=true")).toEqual(["legacy:a", "legacy:b"]);
  });

  it("streams one turn, appends without one, and does not wait for ever", async () => {
    await script([{ say: "streamed" }, { say: "slow", delayMs: 30_000 }]);
    const stream = await (await say("s", { text: "Hi" }, "?stream=true")).text();
    expect(stream.match(/^event: .*$/gm)).toEqual([
      "event: ready",
      "event: agent_start",
      "event: text_delta",
      "event: text_final",
      "event: agent_end",
    ]);
    expect(await (await say("s", { text: "By the way" }, "?append=true")).json()).toMatchObject({
      appended: true,
    });
    expect(await textsOf("s")).toEqual(["user: Hi", "assistant: streamed", "user: By the way"]);
    expect(await codeOf(await say("s", { text: "Wait" }, "?wait=true&timeout=50"))).toBe("409 TURN_LIMIT");
  });

  it("takes what the channel itself said in the agent's name, tells the model, and answers nothing to it", async () => {
    const own = { text: "Approve request 7?", appendAs: "assistant", messageId: "own-1" };
    expect(await codeOf(await say("n", own))).toBe("400 BAD_INPUT");
    for (let times = 0; times < 2; times += 1)
      expect(await (await say("n", own, "?append=true")).json()).toMatchObject({ triggered: false });
    expect(await codeOf(await say("n", { ...own, text: " " }, "?append"))).toBe("400 BAD_INPUT");
    await using server = await modelServer([{ events: openaiStream({ text: ["Yes, I asked."] }) }]);
    await model({ kind: "openai-compatible", model: "m", baseUrl: server.url });
    await say("n", { text: "Did you ask me something?" });
    expect(await textsOf("n")).toEqual([
      "assistant: Approve request 7?",
      "user: Did you ask me something?",
      "assistant: Yes, I asked.",
    ]);
    const messages = server.requests[0]?.body.messages as { role: string; content: unknown }[];
    expect(messages.slice(1).map(({ role, content }) => `${role}: ${content}`)).toEqual([
      "user: [The channel wrote in your name:]\nApprove request 7?",
      "user: Did you ask me something?",
    ]);
  });

  it.each([
    ["openai-compatible", openaiStream],
    ["anthropic", anthropicStream],
  ] as const)(
    "tells what a model of %s thinks, also to who comes back for the rest of it",
    async (kind, stream) => {
      const thinking = ["They want ", "the weather. bot-", "token-4711 stays ", "secret."];
      await using server = await modelServer([{ events: stream({ thinking, text: ["Sunny", " today."] }) }]);
      await model({
        kind,
        model: "m",
        baseUrl: server.url,
        ...(kind === "anthropic" && { apiKey: "${LEGACY_CHAT_BOT_TOKEN}" }),
      });
      expect(await (await say(kind, { text: "Weather?" })).json()).toMatchObject({ text: "Sunny today." });
      const all = await backlog(kind);
      expect(all.map(({ type }) => type).filter((type, at, types) => type !== types[at - 1])).toEqual([
        "agent_start",
        "thinking_delta",
        "thinking_final",
        "text_delta",
        "text_final",
        "agent_end",
      ]);
      const deltas = all.filter(({ type }) => type === "thinking_delta");
      const final = all.find(({ type }) => type === "thinking_final");
      expect(deltas.length).toBeGreaterThan(1);
      expect(deltas.map(({ text }) => text).join("")).toBe(final?.text);
      expect(final?.text).toMatch(/^They want the weather\. \S+ stays secret\.$/);
      expect(JSON.stringify(all)).not.toContain("4711");
      const [first] = deltas;
      expect(await backlog(kind, first?.eventId)).toEqual(all.slice(all.indexOf(first as BacklogEvent) + 1));
    },
  );

  it("hears and speaks by the services that the person set for the agent, in the form of older packages", async () => {
    await using hears = await speechServer();
    await using speaks = await speechServer({ body: oggOf(2) }, { status: 500 });
    const listen = { baseUrl: hears.url, model: "whisper-1", maxMinutes: 10 };
    const speak = { baseUrl: speaks.url, model: "tts-1", voice: "alloy", when: "voice" };
    await app.rest("PATCH", "/agents/chatty", { voice: { listen, speak } });
    try {
      const recording = oggOf(3);
      // Where it goes is not the package's to say.
      const elsewhere = { baseUrl: "http://127.0.0.1:1/", model: "other", voice: "other" };
      const stt = { bytes: recording.toString("base64"), mimeType: "audio/ogg", ...elsewhere };
      const heard = await call("POST", "/voice/stt", stt);
      expect([heard.status, await heard.json()]).toEqual([
        200,
        { text: "hello there", provider: "patchbay" },
      ]);
      expect(hears.requests[0]).toMatchObject({ fields: { model: "whisper-1" } });
      expect(hears.requests[0]?.file?.bytes.equals(recording)).toBe(true);
      const tts = { text: "**Hi** there", outputMimeType: "audio/mpeg", ...elsewhere };
      const said = await call("POST", "/voice/tts", tts);
      expect([said.status, await said.json()]).toEqual([
        200,
        { bytes: oggOf(2).toString("base64"), mimeType: "audio/ogg", provider: "patchbay" },
      ]);
      expect(speaks.requests[0]?.fields).toEqual({
        model: "tts-1",
        input: "Hi there",
        voice: "alloy",
        response_format: "mp3",
      });
      expect(await codeOf(await call("POST", "/voice/tts", tts))).toBe("502 VOICE_FAILED");
      for (const [path, body] of [
        ["stt", { bytes: "not base64!", mimeType: "audio/ogg" }],
        ["stt", { mimeType: "audio/ogg" }],
        ["tts", { text: "" }],
        ["tts", { text: "```\nls\n```" }],
      ] as const)
        expect(await codeOf(await call("POST", `/voice/${path}`, body))).toBe("400 BAD_INPUT");
      expect(await codeOf(await call("GET", "/voice/stt"))).toBe("404 NOT_FOUND");
      const large = "a".repeat(36 * 1024 * 1024);
      expect(await codeOf(await call("POST", "/voice/stt", { bytes: large, mimeType: "audio/ogg" }))).toBe(
        "413 PAYLOAD_TOO_LARGE",
      );
      expect(hears.requests).toHaveLength(1);
    } finally {
      await app.rest("PATCH", "/agents/chatty", { voice: { listen: null, speak: null } });
    }
  });

  it("has eight recordings of a channel under way at most, and gives up those whose asker is gone", async () => {
    await using hears = await speechServer({ hang: true });
    const listen = { baseUrl: hears.url, model: "whisper-1", maxMinutes: 10 };
    await app.rest("PATCH", "/agents/chatty", { voice: { listen, speak: null } });
    const leave = new AbortController();
    const recording = JSON.stringify({ bytes: oggOf(3).toString("base64"), mimeType: "audio/ogg" });
    const ask = () =>
      fetch(`${base}/voice/stt`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: recording,
        signal: leave.signal,
      });
    const waiting = Array.from({ length: 9 }, () => ask());
    const refused = await Promise.race(waiting);
    expect(await codeOf(refused)).toBe("429 RATE_LIMITED");
    leave.abort();
    const left = await Promise.allSettled(waiting);
    expect(left.filter(({ status }) => status === "rejected")).toHaveLength(8);
    // Nothing of them is in the way of the next.
    await app.rest("PATCH", "/agents/chatty", { voice: { listen: null, speak: null } });
    await expect
      .poll(async () => codeOf(await call("POST", "/voice/stt", recording)))
      .toBe("501 VOICE_UNAVAILABLE");
  });

  it("says plainly that it has no voice, and fetches no address of a stranger", async () => {
    expect(await codeOf(await call("POST", "/voice/stt", new Uint8Array(1000)))).toBe(
      "501 VOICE_UNAVAILABLE",
    );
    expect(await codeOf(await call("POST", "/voice/tts", { text: "Hi" }))).toBe("501 VOICE_UNAVAILABLE");
    const attachments = [{ type: "file", url: "http://127.0.0.1:1/secret" }];
    expect(await codeOf(await say("u", { text: "Look", attachments }))).toBe("400 BAD_INPUT");
  });

  it("keeps uploads to their conversation and their size", async () => {
    await call("POST", "/sessions", { sessionId: "legacy:f" });
    const up = await call(
      "POST",
      "/sessions/legacy:f/attachments?name=../a%00b.bin",
      new Uint8Array([1, 2, 3]),
      {
        "content-type": "application/zip",
      },
    );
    const { id, name, size } = (await up.json()) as { id: string; name: string; size: number };
    expect({ name, size }).toEqual({ name: "ab.bin", size: 3 });
    const bytes = await call("GET", `/sessions/legacy:f/attachments/${id}/bytes`);
    expect([...new Uint8Array(await bytes.arrayBuffer())]).toEqual([1, 2, 3]);
    await call("POST", "/sessions", { sessionId: "legacy:g" });
    expect(await codeOf(await call("GET", `/sessions/legacy:g/attachments/${id}/bytes`))).toBe(
      "404 NOT_FOUND",
    );
    const large = await call(
      "POST",
      "/sessions/legacy:f/attachments?name=big",
      new Uint8Array(26 * 1024 * 1024),
    );
    expect(await codeOf(large)).toBe("413 PAYLOAD_TOO_LARGE");
  });

  it("reads other encodings, mends broken ones and refuses unknown ones", async () => {
    await script([{ say: "1" }, { say: "2" }, { say: "3" }]);
    const latin = Buffer.from(JSON.stringify({ text: "Grüße" }), "latin1");
    expect(
      (await say("e", latin, "?wait", { "content-type": "application/json; charset=iso-8859-1" })).status,
    ).toBe(200);
    const broken = Buffer.concat([Buffer.from('{"text":"a'), Buffer.from([0xff, 0xc3]), Buffer.from('b"}')]);
    expect((await say("e", broken, "?wait")).status).toBe(200);
    const klingon = { "content-type": "application/json; charset=klingon" };
    expect(await codeOf(await say("e", { text: "nuqneH" }, "?wait", klingon))).toBe("400 BAD_INPUT");
    expect(await textsOf("e")).toEqual([
      "user: Grüße",
      "assistant: 1",
      "user: a\ufffd\ufffdb",
      "assistant: 2",
    ]);
  });

  it("takes 100,000 characters, no more, and nothing that is empty", async () => {
    await script([{ say: "long" }]);
    expect((await say("l", { text: "é".repeat(100_000) })).status).toBe(200);
    for (const query of ["?wait", ""]) {
      expect(await codeOf(await say("l", { text: "é".repeat(100_001) }, query))).toBe(
        "413 PAYLOAD_TOO_LARGE",
      );
      expect(await codeOf(await say("l", { text: " \n" }, query))).toBe("400 BAD_INPUT");
    }
    expect(await codeOf(await say("l", "{text", ""))).toBe("400 BAD_INPUT");
  });

  it("takes of a flood what it can answer, refuses the rest, and loses nothing that it took", async () => {
    await script(Array.from({ length: 300 }, (_, number) => ({ say: `${number}` })));
    const begin = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, number) =>
        say("flood", { text: `m${number}`, messageId: `m${number}` }, ""),
      ),
    );
    expect(performance.now() - begin).toBeLessThan(30_000);
    const taken = answers.filter(({ status }) => status === 202).length;
    const refused = answers.filter(({ status }) => status === 429).length;
    expect(taken + refused).toBe(1_000);
    expect(taken).toBeGreaterThanOrEqual(200);
    const answered = async () =>
      (await textsOf("flood")).filter((text) => text.startsWith("assistant")).length;
    await expect.poll(answered, { timeout: 40_000, interval: 500 }).toBe(taken);
  });

  it("refuses a webhook of 50 MB before the plugin sees it", async () => {
    const post = (init: RequestInit) =>
      fetch(`${app.url}/api/agents/chatty/channels/legacy/webhook`, { method: "POST", ...init });
    expect(await codeOf(await post({ body: new Uint8Array(50 * 1024 * 1024) }))).toBe(
      "413 PAYLOAD_TOO_LARGE",
    );
    expect((await post({ body: "small" })).status).toBe(200);
  });
});
