import { expect, test } from "vitest";
import { costOf } from "../../src/main/agents/traces/context/cost.ts";
import { modelServer, openaiStream } from "./model-server.ts";
import { only, Workbench } from "./workbench.ts";

/** As a model counts that was sent so much. */
function counted(tokens: number, text: string) {
  const events = openaiStream({ text: [text] });
  return { events: events.map((line) => line.replace('"prompt_tokens":11', `"prompt_tokens":${tokens}`)) };
}

async function withModel(...answers: Parameters<typeof modelServer>[0]) {
  const server = await modelServer(answers);
  const bench = await Workbench.open({
    model: { kind: "openai", model: "not-in-any-list", apiKey: "${KEY}", baseUrl: `${server.url}/v1` },
  });
  bench.secrets.set("KEY", "key-of-the-model");
  return { server, bench };
}

const sent = (request: { body: Record<string, unknown> } | undefined) =>
  JSON.stringify(request?.body.messages);

test("a conversation that nearly fills the window is compacted before its next message, and says so", async () => {
  const { server, bench } = await withModel(
    counted(120_000, "Sunny."),
    counted(120_000, "It was about the weather."),
    counted(500, "Still sunny."),
  );
  const told: unknown[] = [];
  bench.pool.on("watcher", "compact.before@v1", (payload) => void told.push(payload));
  const { sessionId } = only(await bench.prompt("How is the weather?"), "turn_started");
  const session = await bench.agents.sessions.open("a", sessionId);
  const seen: string[] = [];
  const events = session.feed.read();
  const end = await bench.prompt("And now?", { sessionId });
  expect(only(end, "turn_ended")).toMatchObject({ outcome: "done", text: "Still sunny." });
  for await (const event of events) {
    seen.push(event.type);
    if (event.type === "turn_ended") break;
  }
  expect(seen.indexOf("session_compacted")).toBeLessThan(seen.indexOf("turn_started"));
  expect(seen).toContain("session_compacted");
  expect(told).toHaveLength(1);
  expect(session.path.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["user", "assistant", "compaction", "turn_end"]),
  );
  expect(sent(server.requests[2])).toContain("It was about the weather.");
  expect(sent(server.requests[2])).not.toContain("How is the weather?");
  const cost = await costOf(session, only(end, "turn_started").turnId);
  expect(cost.compactions).toMatchObject([
    { text: "It was about the weather.", model: "test-model", before: 120_000, after: 7, changed: false },
  ]);
  expect(cost.conversation).toMatchObject([{ model: "test-model", calls: 3, unpriced: 3 }]);
  expect(cost.turn).toMatchObject([{ calls: 1, input: 500 }]);
  await bench[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

test("one that leaves room is not, and one whose summary fails goes on as it is", async () => {
  const { server, bench } = await withModel(
    counted(100_000, "Sunny."),
    counted(120_000, "Still sunny."),
    { status: 400, json: { error: { message: "No summaries here." } } },
    counted(120_000, "Sunny all day."),
  );
  const { sessionId } = only(await bench.prompt("How is the weather?"), "turn_started");
  await bench.prompt("And now?", { sessionId });
  expect(server.requests).toHaveLength(2);
  const last = await bench.prompt("And later?", { sessionId });
  expect(only(last, "turn_ended")).toMatchObject({ outcome: "done", text: "Sunny all day." });
  expect(sent(server.requests[3])).toContain("How is the weather?");
  const session = await bench.agents.sessions.open("a", sessionId);
  expect(session.path.some(({ type }) => type === "compaction")).toBe(false);
  await bench[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
