import { expect, test } from "vitest";
import type { Agent, ModelConfig } from "../../src/contract/index.ts";
import { testModel } from "../../src/main/agents/models/test-model.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { anthropicStream, modelServer, openaiStream } from "./model-server.ts";
import { only, Workbench } from "./workbench.ts";

const policy = [{ tool: "p__*", effect: "allow" as const }];
const parameters = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

async function withTool(model: ModelConfig) {
  const bench = await Workbench.open({ policy, model });
  bench.secrets.set("MODEL_KEY", "sk-very-secret-key");
  bench.pool.tool("p", "p__weather", (input) => `sunny in ${input.city}`, { parameters });
  return bench;
}

const call = { id: "call_1", name: "p__weather", arguments: ['{"ci', 'ty": "Lisbon"}'] };

test("an OpenAI-compatible server is asked in its own words, with tools, streaming and results", async () => {
  await using server = await modelServer([
    { events: openaiStream({ text: ["Let me ", "see. "], calls: [call] }) },
    { events: openaiStream({ text: ["It is ", "sunny."] }) },
  ]);
  await using bench = await withTool({
    kind: "openai-compatible",
    model: "test-model",
    baseUrl: `${server.url}/v1`,
    apiKey: "${MODEL_KEY}",
  });

  const events = await bench.prompt("Weather in Lisbon?");

  expect(only(events, "turn_ended")).toMatchObject({ outcome: "done", text: "It is sunny.", problem: null });
  expect(only(events, "tool_ended").trace).toMatchObject({
    outcome: "executed",
    arguments: { city: "Lisbon" },
    result: { content: [{ text: "sunny in Lisbon" }] },
  });
  const deltas = events.filter((event) => event.type === "text_delta").map((event) => event.text);
  expect(deltas.join("")).toBe("Let me see. It is sunny.");
  expect(deltas.length).toBeGreaterThan(2);
  expect(only(events, "model_call").call).toMatchObject({
    index: 1,
    model: "test-model",
    usage: { input: 11, output: 7 },
    stopReason: "toolUse",
  });
  const [first, second] = server.requests;
  expect(first).toMatchObject({
    path: "/v1/chat/completions",
    headers: { authorization: "Bearer sk-very-secret-key" },
    body: { model: "test-model", stream: true },
  });
  const tools = first?.body.tools as { function: { name: string; parameters: unknown } }[];
  expect(tools.find((tool) => tool.function.name === "p__weather")?.function).toMatchObject({
    name: "p__weather",
    parameters,
  });
  expect(first?.body).not.toHaveProperty("max_tokens");
  const messages = second?.body.messages as { role: string; content: unknown; tool_call_id?: string }[];
  expect(messages.map((message) => message.role)).toEqual(["system", "user", "assistant", "tool"]);
  expect(messages[0]?.content).toContain("Be brief.");
  expect(messages[0]?.content).toContain("tools of p");
  expect(messages[3]).toMatchObject({ tool_call_id: "call_1", content: "sunny in Lisbon" });
  expect(JSON.stringify(events)).not.toContain("sk-very-secret-key");
});

test("tools that come and go during a turn are those of its next model call", async () => {
  await using server = await modelServer([
    { events: openaiStream({ calls: [call] }) },
    { events: openaiStream({ calls: [{ ...call, id: "call_2", name: "p__later", arguments: ["{}"] }] }) },
    { events: openaiStream({ text: ["Done."] }) },
  ]);
  await using bench = await withTool({
    kind: "openai-compatible",
    model: "test-model",
    baseUrl: `${server.url}/v1`,
    apiKey: "${MODEL_KEY}",
  });
  bench.pool.tool("p", "p__weather", () => {
    bench.pool.tool("p", "p__later", () => {
      bench.pool.withdraw("p", "p__weather");
      return "came later";
    });
    return "sunny";
  });

  const events = await bench.prompt("Weather?");

  expect(only(events, "turn_ended")).toMatchObject({ outcome: "done", text: "Done." });
  const offered = server.requests.map(({ body }) =>
    (body.tools as { function: { name: string } }[])
      .map((tool) => tool.function.name)
      .filter((name) => name.startsWith("p__"))
      .sort(),
  );
  expect(offered).toEqual([["p__weather"], ["p__later", "p__weather"], ["p__later"]]);
  const outcomes = events.filter((event) => event.type === "tool_ended").map(({ trace }) => trace.outcome);
  expect(outcomes).toEqual(["executed", "executed"]);
  const counts = events.filter((event) => event.type === "model_call").map((event) => event.call.tools);
  expect(counts.map((count) => count - (counts[0] ?? 0))).toEqual([0, 1, 0]);
});

test("Anthropic is asked in its own words, with tools, streaming and results", async () => {
  await using server = await modelServer([
    { events: anthropicStream({ text: ["Let me ", "see. "], calls: [{ ...call, id: "toolu_1" }] }) },
    { events: anthropicStream({ text: ["It is sunny."] }) },
  ]);
  await using bench = await withTool({
    kind: "anthropic",
    model: "claude-test",
    apiKey: "${MODEL_KEY}",
    baseUrl: server.url,
  });

  const events = await bench.prompt("Weather in Lisbon?");

  expect(only(events, "turn_ended")).toMatchObject({ outcome: "done", text: "It is sunny.", problem: null });
  const [first, second] = server.requests;
  expect(first).toMatchObject({
    headers: { "x-api-key": "sk-very-secret-key", "anthropic-version": expect.any(String) },
    body: { model: "claude-test", stream: true, max_tokens: expect.any(Number) },
  });
  expect(first?.path).toMatch(/^\/v1\/messages/);
  const tools = first?.body.tools as { name: string; input_schema: unknown }[];
  expect(tools.find((tool) => tool.name === "p__weather")?.input_schema).toMatchObject({
    type: "object",
    properties: parameters.properties,
    required: ["city"],
  });
  expect(JSON.stringify(first?.body.system)).toContain("Be brief.");
  const messages = second?.body.messages as { role: string; content: { type: string }[] }[];
  expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "user"]);
  expect(messages[2]?.content[0]).toMatchObject({ type: "tool_result", tool_use_id: "toolu_1" });
});

test("a known Claude model may answer as long as it can", async () => {
  await using server = await modelServer([{ events: anthropicStream({ text: ["hi"] }) }]);
  const model = {
    kind: "anthropic" as const,
    model: "claude-sonnet-4-5",
    apiKey: "${MODEL_KEY}",
    baseUrl: server.url,
  };
  await using bench = await withTool(model);

  await bench.prompt("hi");

  expect(server.requests[0]?.body.max_tokens).toBe(64_000);
});

test("a server on this machine needs no key", async () => {
  await using server = await modelServer([{ events: openaiStream({ text: ["hi"] }) }]);
  await using bench = await withTool({ kind: "openai-compatible", model: "llama", baseUrl: server.url });
  expect(only(await bench.prompt("hi"), "turn_ended")).toMatchObject({ outcome: "done", text: "hi" });
});

test("a key that is not stored is named, and nothing is sent", async () => {
  await using server = await modelServer([]);
  await using bench = await Workbench.open({
    model: { kind: "openai", model: "gpt-test", apiKey: "${NO_SUCH_KEY}", baseUrl: server.url },
  });

  expect(only(await bench.prompt("hi"), "turn_ended")).toMatchObject({
    outcome: "failed",
    problem: { code: "MISSING_SECRET", message: "The key of the model of Ada is not stored: NO_SUCH_KEY." },
  });
  expect(server.requests).toEqual([]);
});

test.each([
  ["openai", 401, { error: { message: "bad key", type: "x", code: "invalid_api_key" } }, "MODEL_KEY_REFUSED"],
  ["openai", 403, { error: { message: "not for you" } }, "MODEL_KEY_REFUSED"],
  ["openai", 400, { error: { message: "the picture is too large" } }, "MODEL_FAILED"],
  ["openai", 400, { error: { message: "too long", code: "context_length_exceeded" } }, "MODEL_CONTEXT_FULL"],
  [
    "anthropic",
    401,
    { type: "error", error: { type: "authentication_error", message: "bad key" } },
    "MODEL_KEY_REFUSED",
  ],
  [
    "anthropic",
    400,
    { type: "error", error: { type: "invalid_request_error", message: "prompt is too long: 9 tokens > 8" } },
    "MODEL_CONTEXT_FULL",
  ],
] as const)("%s answering %i becomes a problem in the turn's end", async (kind, status, json, code) => {
  await using server = await modelServer([{ status, json }]);
  await using bench = await withTool({ kind, model: "m", apiKey: "${MODEL_KEY}", baseUrl: server.url });

  const events = await bench.prompt("hi");

  const end = only(events, "turn_ended");
  expect(end).toMatchObject({ outcome: "failed", problem: { code } });
  if (code === "MODEL_FAILED") expect(end.problem?.message).toContain("the picture is too large");
  expect(only(events, "model_call").call.problem?.code).toBe(code);
  expect(JSON.stringify(events)).not.toContain("sk-very-secret-key");
});

test("a server that does not answer becomes a problem in the turn's end", async () => {
  const server = await modelServer([]);
  await server[Symbol.asyncDispose]();
  await using bench = await withTool({ kind: "openai-compatible", model: "m", baseUrl: server.url });

  expect(only(await bench.prompt("hi"), "turn_ended")).toMatchObject({
    outcome: "failed",
    problem: { code: "MODEL_UNREACHABLE", message: `${server.url} did not answer: nothing listens there.` },
  });
});

test("a failed turn is tried again without repeating its message or its calls", async () => {
  await using server = await modelServer([
    { events: openaiStream({ calls: [call] }) },
    { status: 400, json: { error: { message: "not now" } } },
    { events: openaiStream({ text: ["Sunny."] }) },
    { events: openaiStream({ text: ["Good night."] }) },
  ]);
  await using bench = await withTool({ kind: "openai-compatible", model: "m", baseUrl: server.url });
  const failed = await bench.prompt("Weather in Lisbon?");
  const { sessionId } = only(failed, "turn_started");
  const retry = () => bench.agents.retry("a", { sessionId, caller: { kind: "owner" } });

  const events = [];
  for await (const event of retry()) events.push(event);

  expect(only(events, "turn_ended")).toMatchObject({ outcome: "done", text: "Sunny." });
  expect(events.filter((event) => event.type === "tool_started")).toEqual([]);
  const roles = (index: number) => {
    const messages = (server.requests[index]?.body.messages ?? []) as { role: string }[];
    return messages.map((message) => message.role);
  };
  expect(roles(2)).toEqual(["system", "user", "assistant", "tool"]);
  await expect(retry().next()).rejects.toMatchObject({ code: "NOTHING_TO_RETRY" });
  await bench.prompt("Bye", { sessionId });
  expect(roles(3)).toEqual(["system", "user", "assistant", "tool", "assistant", "user"]);
});

test("what somebody wrote in a channel is not tried again with the owner's rights", async () => {
  await using server = await modelServer([
    { status: 400, json: { error: { message: "not now" } } },
    { events: openaiStream({ calls: [call] }) },
  ]);
  await using bench = await withTool({ kind: "openai-compatible", model: "m", baseUrl: server.url });
  const { id } = await bench.agents.sessions.forConversation("a", "telegram", "chat-1");
  const stranger = { kind: "channel", channel: "telegram", userId: "7" } as const;
  const failed = await bench.prompt("Weather?", { sessionId: id, caller: stranger });
  expect(only(failed, "turn_ended").outcome).toBe("failed");

  const retry = bench.agents.retry("a", { sessionId: id, caller: { kind: "owner" } });

  await expect(retry.next()).rejects.toMatchObject({ code: "NOTHING_TO_RETRY" });
  expect(server.requests).toHaveLength(1);
});

test("an abort ends the request to the model, and keeps what was said", async () => {
  await using server = await modelServer([
    { events: openaiStream({ text: ["I was ", "about to "] }).slice(0, 3), hang: true },
  ]);
  await using bench = await withTool({ kind: "openai-compatible", model: "m", baseUrl: server.url });
  const { id } = await bench.agents.createSession("a");
  const events = [];
  for await (const event of bench.agents.prompt("a", {
    text: "hi",
    sessionId: id,
    caller: { kind: "owner" },
  })) {
    events.push(event);
    if (event.type === "text_delta") void bench.agents.abort("a", id);
  }
  await server.aborted;

  expect(only(events, "turn_ended")).toMatchObject({ outcome: "aborted", text: "I was about to " });
});

test("a conversation goes on with another provider", async () => {
  await using first = await modelServer([
    { events: anthropicStream({ text: ["Let me see."], calls: [{ ...call, id: "toolu_1" }] }) },
    { events: anthropicStream({ text: ["Sunny."] }) },
  ]);
  await using second = await modelServer([{ events: openaiStream({ text: ["Still sunny."] }) }]);
  await using bench = await withTool({
    kind: "anthropic",
    model: "claude-test",
    apiKey: "${MODEL_KEY}",
    baseUrl: first.url,
  });
  const { sessionId } = only(await bench.prompt("Weather in Lisbon?"), "turn_started");
  bench.agent = { ...bench.agent, model: { kind: "openai-compatible", model: "m", baseUrl: second.url } };

  const events = await bench.prompt("And now?", { sessionId });

  expect(only(events, "turn_ended").text).toBe("Still sunny.");
  const messages = second.requests[0]?.body.messages as { role: string }[];
  expect(messages.map((message) => message.role)).toEqual([
    "system",
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
  ]);
});

test("a compaction is written by the model and takes the place of what was said", async () => {
  await using server = await modelServer([
    { events: openaiStream({ text: ["Hello!"] }) },
    { events: openaiStream({ text: ["They said hello."] }) },
    { events: openaiStream({ text: ["Bye."] }) },
  ]);
  await using bench = await withTool({ kind: "openai-compatible", model: "m", baseUrl: server.url });
  const { sessionId } = only(await bench.prompt("Hello?"), "turn_started");
  const compacted = await bench.prompt("/compact", { sessionId });
  expect(only(compacted, "command").output).toContain("They said hello.");

  await bench.prompt("Goodbye.", { sessionId });

  expect(server.requests[1]?.body).not.toHaveProperty("tools");
  const messages = server.requests[2]?.body.messages as { role: string; content: string }[];
  expect(messages.slice(1)).toMatchObject([
    { role: "user", content: "Summary of the conversation so far:\n\nThey said hello." },
    { role: "user", content: "Goodbye." },
  ]);
});

test("a conversation that is too long even to be summarised is summarised from its end", async () => {
  const tooLong = { status: 400, json: { error: { message: "too long", code: "context_length_exceeded" } } };
  await using server = await modelServer([
    { events: openaiStream({ text: ["One."] }) },
    { events: openaiStream({ text: ["Two."] }) },
    tooLong,
    { events: openaiStream({ text: ["They counted to two."] }) },
  ]);
  await using bench = await withTool({ kind: "openai-compatible", model: "m", baseUrl: server.url });
  const { sessionId } = only(await bench.prompt("First?"), "turn_started");
  await bench.prompt("Second?", { sessionId });

  const compacted = await bench.prompt("/compact", { sessionId });

  expect(only(compacted, "command").output).toContain("They counted to two.");
  expect(JSON.stringify(server.requests[2]?.body)).toContain("First?");
  expect(JSON.stringify(server.requests[3]?.body)).not.toContain("First?");
  expect(JSON.stringify(server.requests[3]?.body)).toContain("Second?");
});

test("a model that is tried and does not answer is given up by the clock, and its request with it", async () => {
  await using server = await modelServer([{ events: [], hang: true }]);
  const clock = new FakeClock();
  const model: ModelConfig = { kind: "openai-compatible", model: "mute", baseUrl: `${server.url}/v1` };
  const secrets = { resolve: () => undefined, redact: (text: string) => text };
  const tried = testModel({ id: "a", name: "A", model } as Agent, secrets, undefined, clock);
  const refusal = expect(tried).rejects.toMatchObject({ code: "MODEL_UNREACHABLE" });
  await expect.poll(() => server.requests).toHaveLength(1);
  clock.advance(30_000);
  await refusal;
  await server.aborted;
});

/** The bodies of two model calls, before the second of which a plugin asked for much thinking. */
async function asksToThink(kind: "anthropic" | "openai", model: string) {
  const stream = kind === "anthropic" ? anthropicStream : openaiStream;
  await using server = await modelServer([
    { events: stream({ text: ["one"] }) },
    { events: stream({ text: ["two"] }) },
  ]);
  await using bench = await withTool({ kind, model, apiKey: "${MODEL_KEY}", baseUrl: server.url });
  const first = await bench.prompt("hi");
  bench.pool.on("p", "model.before@v1", (_payload, scope) => {
    scope.effects?.([{ kind: "thinkingLevel", level: "xhigh" }]);
  });
  await bench.prompt("again", { sessionId: only(first, "turn_started").sessionId });
  return server.requests.map(({ body }) => body);
}

test("a level of thinking that a plugin asks for reaches models that know levels, in their words", async () => {
  const [plain, thinking] = await asksToThink("anthropic", "claude-haiku-4-5");
  expect(plain).not.toHaveProperty("thinking");
  expect(thinking).toMatchObject({ thinking: { type: "enabled" } });
  const [before, after] = await asksToThink("openai", "gpt-5");
  expect(before).not.toHaveProperty("reasoning_effort");
  // The highest that it has.
  expect(after).toMatchObject({ reasoning_effort: "high" });
});

test("a model that is not known to think is asked as ever", async () => {
  const [plain, thinking] = await asksToThink("openai", "gpt-4.1");
  expect(Object.keys(thinking ?? {})).toEqual(Object.keys(plain ?? {}));
});

test("a plugin's next model is one of the agent's provider, for one run", async () => {
  await using server = await modelServer([
    { events: anthropicStream({ text: ["one"] }) },
    { events: anthropicStream({ text: ["two"] }) },
    { events: anthropicStream({ text: ["three"] }) },
  ]);
  const model = "claude-haiku-4-5";
  await using bench = await withTool({
    kind: "anthropic",
    model,
    apiKey: "${MODEL_KEY}",
    baseUrl: server.url,
  });
  let asked = false;
  bench.pool.on("p", "run.prepare@v1", (_payload, scope) => {
    if (!asked) scope.effects?.([{ kind: "nextModel", model: "anthropic/claude-sonnet-4-5" }]);
    asked = true;
  });
  const told: string[] = [];
  bench.pool.on("p", "turn.end@v1", (payload: { model: string }) => void told.push(payload.model));
  const first = await bench.prompt("hi");
  const { sessionId } = only(first, "turn_started");
  await bench.prompt("again", { sessionId });
  await bench.prompt("and again", { sessionId });
  expect(server.requests.map(({ body }) => body.model)).toEqual([model, "claude-sonnet-4-5", model]);
  expect(told).toEqual([model, "claude-sonnet-4-5", model]);
});
