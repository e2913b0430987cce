import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RecordEvent, recordEventSchema } from "../../src/contract/index.ts";
import { patchbay } from "../cli/support.ts";
import { readOtlp } from "./otlp-reader.ts";
import { hostile, type RecordedHome, recordedHome } from "./recorded-home.ts";

const script = `
- say: I go to work.
  call:
    - { tool: worker__send, input: { words: hello } }
    - { tool: worker__send, input: { words: "no" } }
    - { tool: worker__fail }
    - { tool: worker__read }
- say: All done.
- say: Nothing to do.
`;

let bench: RecordedHome;
let first: string;
let second: string;
beforeAll(async () => {
  bench = await recordedHome(script);
  first = await bench.turn("Send my words");
  second = await bench.turn("And now?");
}, 120_000);
afterAll(() => bench[Symbol.asyncDispose]());

const place = () => ({ agentId: "ada", sessionId: bench.sessionId });

test("lines of JSON begin with a header and hold every event whole", async () => {
  const { fileName, mimeType, text } = await bench.client.traces.export({
    ...place(),
    turnId: first,
    as: "jsonl",
  });
  expect([fileName, mimeType]).toEqual([
    `patchbay-trace-ada-${first.slice(0, 13)}.jsonl`,
    "application/jsonl",
  ]);
  const [header, ...lines] = text.trimEnd().split("\n");
  expect(JSON.parse(header ?? "")).toMatchObject({
    type: "patchbay.trace",
    v: 1,
    record: 1,
    agent: { id: "ada", name: "Ada" },
    session: { id: bench.sessionId },
    turns: [{ turnId: first, outcome: "done", cut: false, events: lines.length }],
  });
  const events = lines.map((line) => recordEventSchema.parse(JSON.parse(line)));
  expect(events.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index));
  expect(text).not.toMatch(/"\$(blob|parts)"/);
  const asked = events.find((event) => event.type === "model_asked");
  expect(asked).toMatchObject({ request: { messages: [{ role: "system" }, { role: "user" }] } });
});

test("the whole conversation is one file", async () => {
  const { text, fileName } = await bench.client.traces.export({ ...place(), as: "jsonl" });
  const [header, ...lines] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(fileName).toContain(bench.sessionId.slice(0, 13));
  expect(header.turns.map(({ turnId }: { turnId: string }) => turnId)).toEqual([first, second]);
  expect(new Set(lines.map((event: RecordEvent) => event.turnId))).toEqual(new Set([first, second]));
});

test("a secret that was stored after the turn is taken out as well", async () => {
  await bench.client.secrets.set({ name: "LATE", value: "All done." });
  try {
    for (const as of ["jsonl", "otlp", "html"] as const) {
      const { text } = await bench.client.traces.export({ ...place(), turnId: first, as, contents: true });
      expect(text).not.toContain("All done.");
      expect(text).toContain("I go to work.");
    }
  } finally {
    await bench.client.secrets.remove({ name: "LATE" });
  }
});

test("OpenTelemetry's own definitions read the spans, each in its place, with the names of the conventions", async () => {
  const { text } = await bench.client.traces.export({ ...place(), turnId: first, as: "otlp" });
  const spans = readOtlp(text);
  expect(spans.map(({ name, parent }) => [name, parent])).toEqual([
    ["invoke_agent Ada", undefined],
    ["chat scripted", "invoke_agent Ada"],
    ...["worker__send", "worker__send", "worker__fail", "worker__read"].flatMap((tool, index) => [
      [`execute_tool ${tool}`, "invoke_agent Ada"],
      ...Array.from({ length: index < 2 ? 3 : 2 }, () => ["hook tool.before@v1", `execute_tool ${tool}`]),
      ...(index === 1 ? [] : [[`run worker.${tool.slice(8)}`, `execute_tool ${tool}`]]),
    ]),
    ["chat scripted", "invoke_agent Ada"],
  ]);
  const [agent, chat, sent] = spans;
  expect(agent?.attributes).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.id": "ada",
    "gen_ai.agent.name": "Ada",
    "gen_ai.conversation.id": bench.sessionId,
    "patchbay.turn.id": first,
    "patchbay.turn.outcome": "done",
    "patchbay.turn.cut": false,
  });
  expect(chat).toMatchObject({
    kind: 3,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "scripted",
      "gen_ai.response.finish_reasons": { values: [{ stringValue: "toolUse" }] },
    },
  });
  expect(sent).toMatchObject({
    kind: 1,
    status: undefined,
    events: ["patchbay.tool.rewritten", "patchbay.log"],
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "worker__send",
      "gen_ai.tool.type": "function",
      "patchbay.plugin": "worker",
      "patchbay.policy.effect": "allow",
      "patchbay.tool.outcome": "executed",
    },
  });
  const vetoed = spans.find(({ attributes }) => attributes["patchbay.tool.outcome"] === "vetoed");
  expect(vetoed?.attributes).toMatchObject({
    "patchbay.tool.blocked_by": "guard",
    "patchbay.state": "refused",
  });
  const failed = spans.find(({ attributes }) => attributes["patchbay.tool.outcome"] === "failed");
  expect(failed).toMatchObject({ status: 2, attributes: { "error.type": "TOOL_FAILED" } });
  const decisions = spans.flatMap(({ attributes }) => attributes["patchbay.hook.decision"] ?? []);
  expect(decisions).toContain("rewrote");
  expect(decisions).toContain("denied");
});

test("what was said, asked and answered is in the spans only when somebody says so", async () => {
  const told = [
    "Send my words",
    "I go to work.",
    "HELLO",
    "not that word",
    "out of order",
    "sending",
    "owned",
  ];
  const order = { ...place(), turnId: first, as: "otlp" as const };
  const without = await bench.client.traces.export(order);
  for (const words of told) expect(without.text).not.toContain(words);
  const { text } = await bench.client.traces.export({ ...order, contents: true });
  for (const words of told) expect(text).toContain(words);
  const [agent, , sent] = readOtlp(text);
  expect(JSON.parse(agent?.attributes["gen_ai.input.messages"] as string)).toEqual([
    { role: "user", parts: [{ type: "text", content: "Send my words" }] },
  ]);
  expect(JSON.parse(sent?.attributes["gen_ai.tool.call.arguments"] as string)).toEqual({ words: "HELLO" });
});

test("the page has every text escaped, loads nothing and holds no script", async () => {
  const { text, mimeType } = await bench.client.traces.export({ ...place(), as: "html" });
  expect(mimeType).toBe("text/html");
  const tags = text.match(/<[a-z!/][^>]*>/gi) ?? [];
  expect(new Set(tags.map((tag) => /[a-z0-9]+/i.exec(tag)?.[0]))).toEqual(
    new Set(
      "doctype html head meta title style body main h1 h2 h3 p section header div span details summary i pre dl dt dd".split(
        " ",
      ),
    ),
  );
  const names = tags.flatMap((tag) => [...tag.matchAll(/\s([a-z-]+)="/g)].map((match) => match[1]));
  expect([...new Set(names)].sort()).toEqual([
    "charset",
    "class",
    "content",
    "http-equiv",
    "lang",
    "name",
    "style",
  ]);
  expect(text).toContain("&lt;/script&gt;&lt;img src=x");
  expect(text).toContain(`content="default-src &#39;none&#39;`);
  expect(hostile).toContain("<img");
});

test("the page speaks German to whoever reads German", async () => {
  const { text } = await bench.client.traces.export({
    ...place(),
    turnId: first,
    as: "html",
    language: "de",
  });
  expect(text).toContain('<html lang="de">');
  expect(text).toContain("Werkzeug");
  expect(text).toContain("von einem Plugin blockiert · The plugin guard blocked");
});

test("a turn that is not recorded is said so", async () => {
  await expect(
    bench.client.traces.export({ ...place(), turnId: "nowhere", as: "jsonl" }),
  ).rejects.toMatchObject({ code: "TURN_NOT_FOUND" });
});

test("where there is no folder for downloads, it is said what to do instead", async () => {
  await expect(bench.client.traces.save({ ...place(), turnId: first, as: "jsonl" })).rejects.toMatchObject({
    code: "BAD_INPUT",
    data: { help: expect.stringContaining("patchbay trace export") },
  });
});

test("the command line lists turns, tells one as a timeline and writes it to a file", async () => {
  const listed = (await bench.app.cli("trace", "list", "--agent", "ada")) as { turns: { turnId: string }[] };
  expect(listed.turns.map(({ turnId }) => turnId)).toEqual([first, second]);

  const shown = await patchbay(bench.home, ["trace", "show", first.slice(0, 8), "--agent", "ada"]);
  const lines = shown.stdout.trimEnd().split("\n");
  expect(lines[0]).toBe("Send my words");
  const told = lines.slice(2).map((line) => line.replace(/^\+[\d.]+ m?s +(?:[\d.]+ m?s)? */, ""));
  expect(told).toEqual(
    expect.arrayContaining([
      "Turn  done",
      "Tool  worker.send  worker  done · changed by tidy · rule *: allow",
      "Hook  tool.before@v1  tidy  changed it",
      "Hook  tool.before@v1  guard  denied · not that word",
      "Log  worker  sending HELLO",
    ]),
  );
  expect(shown.stdout).toMatch(/\n\+[\d.]+ m?s +[\d.]+ m?s {6}Hook {2}tool\.before@v1 {2}tidy/);

  const file = join(bench.folder, "turn.otlp.json");
  await bench.app.cli("trace", "export", first, file, "--agent", "ada", "--as", "otlp");
  expect(readOtlp(await readFile(file, "utf8")).length).toBeGreaterThan(10);
  await writeFile(join(bench.folder, "taken"), "mine");
  const taken = await patchbay(bench.home, [
    "trace",
    "export",
    first,
    join(bench.folder, "taken"),
    "--agent",
    "ada",
  ]);
  expect(taken.code).toBe(1);
  expect(taken.stderr).toContain("is there already");
  expect(await readFile(join(bench.folder, "taken"), "utf8")).toBe("mine");
});
