import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RecordEvent, SessionEntry, TraceEntry, TurnEvent } from "../../src/contract/index.ts";
import { tracesOf } from "../../src/main/agents/record/project-traces.ts";
import { transcriptOf } from "../../src/main/agents/record/project-transcript.ts";
import { whole } from "../../src/main/agents/record/read-record.ts";
import { replayTurn } from "../../src/main/agents/replay/replay.ts";
import { type Client, connectSocket } from "../gateway/support.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { blobsOf, filesOf } from "../support/record-blobs.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

const secret = "swordfish-9143-not-to-be-seen";

/** Tools that answer, report, fail and tell a secret. */
const worker = `export default {
  manifestVersion: 1, key: "worker", displayName: "Worker", description: "Works.",
  secretKeys: [{ key: "token", label: "Token" }],
  tools: {
    namespace: "worker",
    async start(config, ctx) {
      const tool = (name, execute) => ({ name, description: name, parameters: { type: "object" }, execute });
      const text = (text) => ({ content: [{ type: "text", text }] });
      return {
        toolsets: [{ id: "worker", description: "Does things. " + "It is described at length. ".repeat(80), tools: [
          tool("say", async (_id, { words }, signal, onUpdate) => {
            ctx.logger("saying " + words);
            return text("said " + words);
          }),
          tool("tell", async () => text("the token is " + config.token)),
          tool("fail", async () => { throw new Error("out of order"); }),
          tool("send", async () => text("sent")),
          tool("long", async () => text("long ".repeat(9000))),
        ] }],
        stop: async () => {},
      };
    },
  },
};`;

/** Hooks that rewrite the message, arguments, what the model is sent and what it said, and one that forbids. */
const warden = `export default {
  manifestVersion: 1, key: "warden", displayName: "Warden", description: "Watches.",
  hooks: {
    events: ["session.message.received@v1", "prompt.assemble@v1", "model.before@v1", "tool.before@v1", "tool.result@v1", "tool.after@v1", "message.final@v1", "turn.end@v1"],
    async start(config, ctx) {
      ctx.on("tool.before@v1", () => ({ allow: true }), { priority: 1 });
      return {
        handlers: {
          "session.message.received@v1": ({ text }) => ({ text: text + " please" }),
          "prompt.assemble@v1": ({ sections }) => ({ sections: [...sections, { key: "warden", content: "Be polite." }] }),
          "model.before@v1": ({ messages }) => { ctx.logger("looking at " + messages.length); },
          "tool.before@v1": ({ toolName, args }) => {
            if (toolName === "worker__send" && args.to === "stranger") return { allow: false, reason: "no strangers" };
            return args.words ? { allow: true, payload: { args: { words: args.words.toUpperCase() } } } : { allow: true };
          },
          "tool.result@v1": ({ content }) => content[0].text === "sent" ? { content: [{ type: "text", text: "sent, and noted" }] } : undefined,
          "tool.after@v1": ({ durationMs }) => { if (!(durationMs >= 0)) throw new Error("no duration"); },
          "message.final@v1": ({ text }) => text.endsWith("Done.") ? { text: text + " Goodbye." } : undefined,
          "turn.end@v1": () => { throw new Error("tired"); },
        },
        stop: async () => {},
      };
    },
  },
};`;

const script = `
- say: I know ${secret} and go to work.
  call:
    - { tool: worker__say, input: { words: hello } }
    - { tool: worker__send, input: { to: stranger } }
    - { tool: worker__send, input: { to: friend } }
    - { tool: worker__fail }
    - { tool: worker__tell }
    - { tool: worker__long }
    - { tool: worker__missing }
    - { tool: list_files }
- say: It is all Done.
`;

let folder: string;
let app: RunningApp;
let client: Client;
let events: TurnEvent[];
let lines: string[];
let record: RecordEvent[];
let entries: SessionEntry[];
let traces: TraceEntry[];
let sessions: string;
let sessionId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-replay-"));
  const file = join(folder, "script.yaml");
  await writeFile(file, script);
  const home = join(folder, "home");
  app = await startApp(home);
  ({ client } = await connectSocket(app));
  await app.cli("agent", "create", "Ada", "--model", `scripted:${file}`);
  for (const [key, text] of Object.entries({ worker, warden })) {
    const plugin = await writePlugin(join(folder, key), { key, files: { "index.js": text } });
    await app.cli("plugin", "install", plugin, "--yes");
  }
  await app.cli("plugin", "config", "worker", "--agent", "ada", "--set", `token=${secret}`);
  await app.cli("plugin", "enable", "worker", "--agent", "ada");
  await app.cli("plugin", "enable", "warden", "--agent", "ada");
  const { revision } = await client.agents.get({ agentId: "ada" });
  const allowed = ["say", "fail", "tell", "long"].map((name) => `worker__${name}`);
  const policy = allowed.map((tool) => ({ tool, effect: "allow" as const }));
  await client.agents.update({ agentId: "ada", revision, policy });
  events = [];
  for await (const event of await client.sessions.prompt({ agentId: "ada", text: "Work," })) {
    events.push(event);
    if (event.type === "approval_requested")
      await client.approvals.decide({
        id: event.approvalId,
        answer: { decision: "allow", scope: "session" },
      });
  }
  const [session] = await client.sessions.list({ agentId: "ada" });
  sessionId = session?.id ?? "";
  entries = await client.sessions.entries({ agentId: "ada", sessionId });
  traces = await client.sessions.trace({ agentId: "ada", sessionId });
  sessions = join(home, "agents", "ada", "sessions");
  await app.close();
  lines = (await readFile(join(sessions, `${sessionId}.record.jsonl`), "utf8")).trim().split("\n");
  record = lines.map((line) => JSON.parse(line));
}, 120_000);

afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

function replay(change?: (event: RecordEvent) => RecordEvent) {
  const blobs = blobsOf(join(folder, "home"), "ada", sessionId);
  return replayTurn({
    lines,
    entries,
    files: filesOf(join(folder, "home"), "ada", sessionId),
    getBlob: (address) => blobs.get(address),
    ...(change && { change }),
  });
}

test("the recorded turn is as rich as it was meant to be", () => {
  expect(events.at(-1)).toMatchObject({
    type: "turn_ended",
    outcome: "done",
    text: "It is all Done. Goodbye.",
  });
  const ended = record.filter((event) => event.type === "tool_ended");
  expect(ended.map(({ tool, outcome }) => [tool, outcome])).toEqual([
    ["worker__say", "executed"],
    ["worker__send", "vetoed"],
    ["worker__send", "executed"],
    ["worker__fail", "failed"],
    ["worker__tell", "executed"],
    ["worker__long", "executed"],
    ["worker__missing", "failed"],
    ["list_files", "executed"],
  ]);
  const seen = new Set(record.map((event) => event.type));
  for (const type of ["tool_rewritten", "approval_asked", "approval_answered", "log", "problem"] as const)
    expect(seen).toContain(type);
  expect(record.filter((event) => event.type === "model_answered")).toHaveLength(2);
  expect(record.filter((event) => event.type === "hook_asked" && event.stage === "final")).toHaveLength(1);
  expect(lines.join("\n")).toContain("the token is •••");
  expect(lines.join("\n")).not.toContain(secret);
});

test("a plugin's log line stands in the span of the call that it was written in", () => {
  const said = record.find((event) => event.type === "log" && event.owner === "worker");
  const called = record.find((event) => event.type === "tool_called" && event.tool === "worker__say");
  expect(said).toMatchObject({ text: "saying HELLO", spanId: called?.spanId });
  const looked = record.find((event) => event.type === "log" && event.owner === "warden");
  const asked = record.find((event) => event.type === "hook_asked" && event.event === "model.before@v1");
  expect(looked).toMatchObject({ spanId: asked?.spanId, parentId: asked?.parentId });
});

test("transcript and traces are rebuilt from the record alone", async () => {
  const blobs = blobsOf(join(folder, "home"), "ada", sessionId);
  const events = await whole(record, (address) => blobs.get(address));
  const own = entries.filter((entry) => entry.type !== "session");
  expect(events.flatMap(transcriptOf)).toEqual(own);
  expect(tracesOf(events)).toEqual(traces);
});

test("every request and answer of the model is kept whole, and what was sent before is not kept again", async () => {
  const blobs = blobsOf(join(folder, "home"), "ada", sessionId);
  const asked = record.filter((event) => event.type === "model_asked");
  const [first, second] = await whole(asked, (address) => blobs.get(address));
  const messagesOf = (event: RecordEvent | undefined) =>
    event?.type === "model_asked" ? (event.request as { messages: { role: string }[] }).messages : [];
  expect(messagesOf(first).map(({ role }) => role)).toEqual(["system", "user"]);
  expect(messagesOf(second).slice(0, 2)).toEqual(messagesOf(first));
  expect(JSON.stringify(messagesOf(first)[0])).toContain("Be polite.");
  expect(JSON.stringify(messagesOf(second))).toContain("sent, and noted");
  for (const line of lines) expect(line.length).toBeLessThan(33_000);
});

test("a recorded turn that is run again gives the same record, byte for byte", async () => {
  const { lines: again, difference } = await replay();
  expect(difference).toBeNull();
  expect(again).toEqual(lines);
});

test("a changed answer gives a difference that names the first event that is another", async () => {
  const call = record.find((event) => event.type === "tool_called" && event.tool === "worker__fail");
  const answered = record.find((event) => event.type === "tool_answered" && event.spanId === call?.spanId);

  const { difference } = await replay((event) =>
    event.type === "tool_answered" && event.spanId === call?.spanId
      ? { ...event, output: { content: [{ type: "text", text: "in order again" }] }, problem: null }
      : event,
  );

  expect(difference).toMatchObject({ seq: answered?.seq, type: "tool_answered" });
  expect(difference?.recorded).toContain("out of order");
  expect(difference?.replayed).toContain("in order again");
});

test("a guard that decides otherwise shows as the difference", async () => {
  const { difference } = await replay((event) =>
    event.type === "hook_answered" && event.decision === "denied"
      ? { ...event, decision: "allowed", reason: undefined }
      : event,
  );
  expect(difference).toMatchObject({ type: "hook_answered" });
  expect(JSON.parse(difference?.replayed ?? "{}")).toMatchObject({ decision: "allowed", owner: "warden" });
});
