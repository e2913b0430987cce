import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { only, Workbench } from "./workbench.ts";

test("a scripted turn calls a plugin's tool, streams what happens and stores it", async () => {
  await using bench = await Workbench.open({ policy: [{ tool: "web__*", effect: "allow" }] });
  bench.pool.tool("web", "web__get", (input) => `page of ${input.url}`);
  await bench.script([
    { say: "Let me look.", call: { tool: "web__get", input: { url: "http://x" } } },
    { say: "It says hello to the whole wide world." },
  ]);

  const events = await bench.prompt("What is at x?");

  expect(events.map((event) => event.type)).toEqual([
    "turn_started",
    "text_delta",
    "model_call",
    "message",
    "tool_started",
    "tool_ended",
    "text_delta",
    "text_delta",
    "model_call",
    "message",
    "turn_ended",
  ]);
  expect(only(events, "tool_ended").trace).toMatchObject({
    tool: "web__get",
    owner: "web",
    outcome: "executed",
    result: { content: [{ type: "text", text: "page of http://x" }] },
  });
  expect(only(events, "turn_ended")).toMatchObject({
    outcome: "done",
    text: "It says hello to the whole wide world.",
    problem: null,
  });
  const { sessionId } = only(events, "turn_started");
  const path = join(bench.home, "agents", "a", "sessions", `${sessionId}.jsonl`);
  const lines = (await readFile(path, "utf8")).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).type)).toEqual([
    "session",
    "user",
    "title",
    "assistant",
    "tool_result",
    "assistant",
    "turn_end",
  ]);
});
