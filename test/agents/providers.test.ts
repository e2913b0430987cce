import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ModelList, TurnEvent } from "../../src/contract/index.ts";
import { type ProviderServer, providerServer, type Step } from "../support/provider-server.ts";
import { anthropic, google, openaiChat, openaiResponses, type Wire } from "../support/provider-wire.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const call = (id: string, path: string) => ({
  id,
  name: "read_file",
  arguments: ['{"pa', `th":"${path}"}`],
});
const hello: Step = { say: { text: ["Good ", "day."] } };

let home: string;
let app: RunningApp;
/** The agent of the provider that is tried. */
let ada = "";
let agents = 0;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "providers-"));
  app = await startApp(home);
  await app.rest("PUT", "/secrets/GOOD_KEY", { value: "good-key" });
  await app.rest("PUT", "/secrets/BAD_KEY", { value: "wrong-key" });
});

afterAll(async () => {
  await app.close();
  await rm(home, { recursive: true });
});

/** Runs one turn by REST and gives what a screen that watches it sees. */
async function turn(
  body: Record<string, unknown>,
  onEvent?: (event: TurnEvent) => void,
): Promise<TurnEvent[]> {
  const response = await fetch(`${app.url}/api/agents/${ada}/prompt`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const events: TurnEvent[] = [];
  let rest = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!line.startsWith("data: ")) continue;
      const event = JSON.parse(line.slice("data: ".length)) as TurnEvent;
      events.push(event);
      onEvent?.(event);
    }
  }
  return events;
}

const endOf = (events: readonly TurnEvent[]) => events.find((event) => event.type === "turn_ended");
const waitsOf = (events: readonly TurnEvent[]) => events.filter((event) => event.type === "model_waiting");

describe.each<[string, Wire, { level: string; sends: unknown; seals: boolean }]>([
  ["OpenAI's chat completions", openaiChat, { level: "high", sends: "high", seals: false }],
  ["OpenAI's responses", openaiResponses, { level: "high", sends: "high", seals: true }],
  ["Anthropic's messages", anthropic, { level: "high", sends: "enabled", seals: true }],
  ["Google's streamGenerateContent", google, { level: "high", sends: 32_768, seals: true }],
])("a model behind %s", (_name, wire, thinking) => {
  let server: ProviderServer;
  const model = (key = "GOOD_KEY") => ({
    ...wire.config,
    apiKey: `\${${key}}`,
    baseUrl: `${server.url}${wire.base}`,
  });
  const asked = (place: number) => wire.read(server.requests[place]?.body ?? {});

  beforeAll(async () => {
    server = await providerServer(wire);
    agents += 1;
    ada = `ada-${agents}`;
    const agent = (await app.rest("POST", "/agents", { id: ada, name: "Ada", model: model() })) as {
      workspace: string;
    };
    await writeFile(join(agent.workspace, "lisbon.txt"), "sunny");
    await writeFile(join(agent.workspace, "oslo.txt"), "snow");
  });
  beforeEach(() => {
    server.requests.length = 0;
  });
  afterAll(async () => {
    await app.rest("DELETE", `/agents/${ada}`);
    await server[Symbol.asyncDispose]();
  });

  it("is asked with its key, the tools, a picture and how much to think, and calls two tools", async () => {
    await app.rest("PATCH", `/agents/${ada}`, { thinking: thinking.level });
    const { id: sessionId } = (await app.rest("POST", `/agents/${ada}/sessions`, {})) as { id: string };
    const form = new FormData();
    form.set("name", "sky.png");
    form.set("mimeType", "image/png");
    form.set("bytes", String(picture.length));
    form.set("piece", new Blob([picture], { type: "image/png" }), "sky.png");
    const handed = await fetch(`${app.url}/api/agents/${ada}/sessions/${sessionId}/attachments`, {
      method: "POST",
      headers: { authorization: `Bearer ${app.token}` },
      body: form,
    });
    const { id: upload } = (await handed.json()) as { id: string };
    server.next(
      {
        say: {
          thinking: "They want the weather.",
          text: ["Let me ", "see."],
          calls: [call("call_1", "lisbon.txt"), call("call_2", "oslo.txt")],
        },
      },
      { say: { text: ["Sun and ", "snow."] } },
    );

    const events = await turn({ text: "Weather?", sessionId, attachments: [{ upload }] });
    await app.rest("PATCH", `/agents/${ada}`, { thinking: "default" });

    expect(endOf(events)).toMatchObject({ outcome: "done", text: "Sun and snow.", problem: null });
    const deltas = events.filter((event) => event.type === "text_delta").map(({ text }) => text);
    expect(deltas.join("")).toBe("Let me see.Sun and snow.");
    expect(events.find((event) => event.type === "thinking")).toMatchObject({
      text: "They want the weather.",
    });
    const ended = events.filter((event) => event.type === "tool_ended").map(({ trace }) => trace);
    expect(ended.map(({ arguments: given }) => given)).toEqual([
      { path: "lisbon.txt" },
      { path: "oslo.txt" },
    ]);
    expect(ended.map(({ outcome }) => outcome)).toEqual(["executed", "executed"]);
    expect(events.find((event) => event.type === "model_call")?.call.usage).toMatchObject({ input: 11 });

    expect(server.requests).toHaveLength(2);
    for (const { headers, path } of server.requests) {
      expect(headers[wire.key.header]).toBe(wire.key.value("good-key"));
      expect(path).toMatch(wire.path);
    }
    expect(asked(0).tools).toContain("read_file");
    expect(asked(0).system).toContain("Your workspace");
    expect(asked(0).pictures).toEqual(["image/png"]);
    expect(asked(0).thinking).toBe(thinking.sends);
    expect(asked(0).results).toEqual([]);
    expect(asked(1).results.map((result) => /sunny|snow/.exec(result)?.[0])).toEqual(["sunny", "snow"]);
    // What it thought comes back sealed, as the provider wants it in the middle of a turn.
    if (thinking.seals) expect(asked(1).thoughts).toContain("c2VhbGVk");
  });

  it("is told nothing about thinking where nobody chose a level", async () => {
    server.next(hello);
    expect(endOf(await turn({ text: "Hello" }))).toMatchObject({ outcome: "done", text: "Good day." });
    expect(asked(0).thinking).toBeUndefined();
  });

  it("does not think when it is told not to, where it can be told", async () => {
    await app.rest("PATCH", `/agents/${ada}`, { thinking: "off" });
    server.next(hello);
    const end = endOf(await turn({ text: "Hello" }));
    await app.rest("PATCH", `/agents/${ada}`, { thinking: "default" });
    expect(end).toMatchObject({ outcome: "done", text: "Good day." });
    expect([undefined, "disabled", "minimal", "none", 0, 128]).toContain(asked(0).thinking);
  });

  it("that refuses the key says so, and is asked once", async () => {
    await app.rest("PATCH", `/agents/${ada}`, { model: model("BAD_KEY") });
    const events = await turn({ text: "Hello" });
    await app.rest("PATCH", `/agents/${ada}`, { model: model() });
    expect(endOf(events)).toMatchObject({ outcome: "failed", problem: { code: "MODEL_KEY_REFUSED" } });
    expect(JSON.stringify(events)).not.toContain("wrong-key");
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ["a model that is not known", { fail: "model" }, "MODEL_NOT_FOUND"],
    ["a conversation that is too long", { fail: "long" }, "MODEL_CONTEXT_FULL"],
    ["an answer that is withheld", { say: { text: ["I "], ends: "withheld" } }, "MODEL_WITHHELD"],
    ["a page in the place of an answer", { page: true }, "MODEL_NOT_A_MODEL"],
  ] as [string, Step, string][])(
    "says what is wrong about %s, and is asked once",
    async (_what, step, code) => {
      server.next(step);
      expect(endOf(await turn({ text: "Hello" }))).toMatchObject({ outcome: "failed", problem: { code } });
      expect(server.requests).toHaveLength(1);
    },
  );

  it.each([
    ["takes no more requests", { fail: "rate" }, "MODEL_BUSY"],
    ["is overloaded", { fail: "overloaded" }, "MODEL_BUSY"],
    ["has a fault of its own", { fail: "broken" }, "MODEL_BROKEN"],
    ["breaks the connection before it answers", { cut: "before" }, "MODEL_CUT"],
  ] as [string, Step, string][])(
    "that %s is waited for, which is said, and asked again",
    async (_what, step, code) => {
      server.next(step, hello);
      const events = await turn({ text: "Hello" });
      expect(endOf(events)).toMatchObject({ outcome: "done", text: "Good day.", problem: null });
      expect(waitsOf(events)).toEqual([
        expect.objectContaining({ attempt: 1, problem: expect.objectContaining({ code }) }),
      ]);
      expect(events.filter((event) => event.type === "model_again")).toMatchObject([{ attempt: 2 }]);
      expect(server.requests).toHaveLength(2);
      expect(server.requests[1]?.body).toEqual(server.requests[0]?.body);
    },
  );

  it("that asks for a second is left alone for that second", async () => {
    server.next({ fail: "rate" }, hello);
    const [wait] = waitsOf(await turn({ text: "Hello" }));
    expect(wait?.ms).toBeGreaterThan(400);
    expect(wait?.ms).toBeLessThanOrEqual(1_000);
  });

  it("that stays broken is given up after three requests", async () => {
    server.next({ fail: "broken" }, { fail: "broken" }, { fail: "broken" });
    const events = await turn({ text: "Hello" });
    expect(endOf(events)).toMatchObject({ outcome: "failed", problem: { code: "MODEL_BROKEN" } });
    expect(server.requests).toHaveLength(3);
  });

  it("whose connection breaks in the middle keeps what it said, and is not asked again by itself", async () => {
    server.next({ cut: "after", say: { text: ["Good ", "day ", "to ", "you."] }, events: 5 });
    const events = await turn({ text: "Hello" });
    const end = endOf(events);
    expect(end).toMatchObject({ outcome: "failed", problem: { code: "MODEL_CUT" } });
    expect(end?.text).toMatch(/^Good /);
    expect(server.requests).toHaveLength(1);
  });

  it("that sends requests on to another address is not followed, so that nobody else gets the key", async () => {
    await using other = await providerServer(wire);
    server.next({ sendOn: `${other.url}/v1/anything` });
    expect(endOf(await turn({ text: "Hello" }))).toMatchObject({
      outcome: "failed",
      problem: { code: "MODEL_NOT_A_MODEL" },
    });
    expect(server.requests).toHaveLength(1);
    expect(other.seen).toBe(0);
  });

  it("that streams noise ends the turn with a sentence", async () => {
    server.next({ garbage: true }, { garbage: true }, { garbage: true });
    const end = endOf(await turn({ text: "Hello" }));
    expect(end?.outcome).toBe("failed");
    expect(end?.problem?.message).not.toMatch(/JSON|stream|parse|undefined/i);
  });

  it("that says nothing at all is let go when the person stops it", async () => {
    const { id: sessionId } = (await app.rest("POST", `/agents/${ada}/sessions`, {})) as { id: string };
    server.next({ hang: true });
    const stop = () => app.rest("POST", `/agents/${ada}/sessions/${sessionId}/abort`);
    const running = turn({ text: "Hello", sessionId });
    await expect.poll(() => server.requests.length).toBe(1);
    await stop();
    expect(endOf(await running)).toMatchObject({ outcome: "aborted" });
    await server.givenUp;
  });

  it("that asks to wait is not asked again when the person stops it", async () => {
    const { id: sessionId } = (await app.rest("POST", `/agents/${ada}/sessions`, {})) as { id: string };
    server.next({ fail: "rate" }, hello);
    const events = await turn({ text: "Hello", sessionId }, (event) => {
      if (event.type === "model_waiting") void app.rest("POST", `/agents/${ada}/sessions/${sessionId}/abort`);
    });
    expect(endOf(events)).toMatchObject({ outcome: "aborted" });
    expect(server.requests).toHaveLength(1);
  });

  it("is asked for its models with the key, which shows whether that is good", async () => {
    await using listing = await providerServer(wire, "good-key", [
      "text-embedding-3",
      "zz-unknown",
      String(wire.config.model),
    ]);
    const place = {
      ...wire.config,
      model: undefined,
      apiKey: "${GOOD_KEY}",
      baseUrl: `${listing.url}${wire.base}`,
    };
    const list = (await app.rest("POST", "/models/list", { place })) as ModelList;
    expect(list).toMatchObject({ ok: true, source: "provider", keySeen: true });
    const models = list.ok ? list.models : [];
    expect(models.map(({ id }) => id)).toEqual([wire.config.model, "zz-unknown"]);
    expect(models[0]).toMatchObject({ pictures: true, price: { input: expect.any(Number) } });
    expect(models[0]?.contextWindow).toBeGreaterThan(100_000);
    expect(models[0]?.thinking.length).toBeGreaterThan(1);
    const refused = (await app.rest("POST", "/models/list", { place, key: "wrong-key" })) as ModelList;
    expect(refused).toMatchObject({ ok: false, problem: { code: "MODEL_KEY_REFUSED" } });
    expect(listing.listings).toHaveLength(2);
  });
});
