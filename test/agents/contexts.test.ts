import { expect, test } from "vitest";
import { contextOf, contextText } from "../../src/main/agents/traces/context/context.ts";
import { costOf } from "../../src/main/agents/traces/context/cost.ts";
import { modelServer, openaiStream } from "./model-server.ts";
import { only, Workbench } from "./workbench.ts";

test("what the model was sent is told part by part, with whoever put it there, and adds up to what was counted", async () => {
  await using server = await modelServer([
    {
      events: openaiStream({ text: ["Looking."], calls: [{ id: "c1", name: "p__look", arguments: ["{}"] }] }),
    },
    { events: openaiStream({ text: ["Done."] }) },
  ]);
  await using bench = await Workbench.open({
    model: { kind: "openai-compatible", model: "m", baseUrl: `${server.url}/v1` },
    policy: [{ tool: "p__look", effect: "allow" }],
  });
  const long = "seen ".repeat(2_000);
  bench.pool.tool("p", "p__look", () => ({ content: [{ type: "text", text: long }] }));
  bench.pool.on("notes", "prompt.assemble@v1", (payload) => {
    const { sections } = payload as { sections: { key: string; content: string }[] };
    return {
      ...(payload as object),
      sections: [
        ...sections.map((one) => (one.key === "instructions" ? { ...one, content: "Be very brief." } : one)),
        { key: "notes", content: "Remember the milk." },
      ],
    };
  });
  const events = await bench.prompt("Look around");
  const { turnId, sessionId } = only(events, "turn_started");
  const session = await bench.agents.sessions.open("a", sessionId);

  const first = await contextOf(session, turnId, 1);
  expect(first).toMatchObject({ call: 1, calls: 2 });
  const system = first.parts.filter(({ group }) => group === "system");
  expect(system.map(({ title, owner, changes }) => [title, owner, changes])).toEqual([
    ["instructions", "notes", [{ owner: "notes", before: "Be brief.", after: "Be very brief." }]],
    ["workspace", null, []],
    ["toolsets", null, []],
    ["toolsets", "p", []],
    ["toolsets", "notes", []],
    ["notes", "notes", [{ owner: "notes", before: null, after: "Remember the milk." }]],
  ]);
  const tool = first.parts.find(({ kind, title }) => kind === "tool" && title === "p.look");
  expect(tool).toMatchObject({ group: "tools", owner: "p" });

  const last = await contextOf(session, turnId);
  expect(last.call).toBe(2);
  expect(last.parts.filter(({ group }) => group === "turn").map(({ kind }) => kind)).toEqual([
    "user",
    "assistant",
  ]);
  const result = last.parts.find(({ kind }) => kind === "result");
  expect(result).toMatchObject({ owner: "p", title: "p.look", characters: long.length });
  expect(result?.text).toHaveLength(2_000);
  expect(await contextText(session, turnId, 2, result?.index ?? -1)).toBe(long);
  for (const context of [first, last]) {
    const sum = context.parts.reduce((all, { tokens }) => all + tokens, 0);
    expect(sum).toBe(context.tokens);
    expect(context.shares.reduce((all, { tokens }) => all + tokens, 0)).toBe(context.tokens);
  }
  expect(last.shares[0]?.owner).toBe("p");
  expect(last.shares.map(({ owner }) => owner)).toContain("notes");

  const cost = await costOf(session, turnId);
  expect(cost.turn).toEqual(cost.conversation);
  // Nobody knows what this model costs: that is said, and nothing is free.
  expect(last.cost).toBeNull();
  expect(cost.shares.every((share) => share.cost === null)).toBe(true);
  for (const model of cost.turn) expect(model.unpriced).toBe(model.calls);
});

test("what a hook put into the messages of one call is told with its owner, and an earlier turn stands as history", async () => {
  await using bench = await Workbench.open();
  await bench.script([{ say: "One." }, { say: "Two." }]);
  const begun = only(await bench.prompt("First question"), "turn_started");
  bench.pool.on("hinter", "model.before@v1", (payload) => {
    const { messages } = payload as { messages: { role: string; text: string }[] };
    return { ...(payload as object), messages: [...messages, { role: "user", text: "A hint." }] };
  });
  const events = await bench.prompt("Second question", { sessionId: begun.sessionId });
  const session = await bench.agents.sessions.open("a", begun.sessionId);
  const context = await contextOf(session, only(events, "turn_started").turnId);
  expect(context.changes).toEqual([
    { owner: "hinter", removed: [], added: [{ role: "user", text: "A hint.", characters: 7 }] },
  ]);
  const spoken = context.parts.filter(({ kind }) => kind === "user" || kind === "assistant");
  expect(spoken.map(({ group, text }) => [group, text])).toEqual([
    ["history", "First question"],
    ["history", "One."],
    ["turn", "Second question"],
    ["turn", "A hint."],
  ]);
  expect(context.counted).toBe(false);
  await expect(contextOf(session, "no-such-turn")).rejects.toThrow(
    expect.objectContaining({ code: "TURN_NOT_FOUND" }),
  );
});
