import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type {
  Approval,
  Breakpoint,
  BreakpointInput,
  Pause,
  PauseAnswer,
  PauseState,
  RecordEvent,
  ToolTrace,
  TurnEvent,
} from "../../src/contract/index.ts";
import { traceOf } from "../../src/contract/index.ts";
import { replayTurn } from "../../src/main/agents/replay/replay.ts";
import { type Client, connectSocket } from "../gateway/support.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { blobsOf, filesOf } from "../support/record-blobs.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

const worker = `export default {
  manifestVersion: 1, key: "worker", displayName: "Worker", description: "Works.",
  tools: {
    namespace: "worker",
    async start() {
      const parameters = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };
      const tool = (name) => ({ name, description: name, parameters,
        execute: async (_id, { to }) => ({ content: [{ type: "text", text: name + " to " + to }] }) });
      return { toolsets: [{ id: "worker", description: "Works.", tools: [tool("send"), tool("post")] }], stop: async () => {} };
    },
  },
};`;

/** Rewrites arguments once, and notes in its log what it is asked about. */
const warden = `export default {
  manifestVersion: 1, key: "warden", displayName: "Warden", description: "Watches.",
  hooks: {
    events: ["tool.before@v1", "tool.result@v1", "message.final@v1"],
    async start(config, ctx) {
      return {
        handlers: {
          "tool.before@v1": ({ args, final }) => {
            ctx.logger("asked about " + args.to + (final ? " for good" : ""));
            return final ? { allow: true } : { allow: true, payload: { args: { to: args.to.toUpperCase() } } };
          },
          "tool.result@v1": ({ content }) => ({ content: [{ type: "text", text: content[0].text + "." }] }),
          "message.final@v1": ({ text }) => ({ text: text + " Goodbye." }),
        },
        stop: async () => {},
      };
    },
  },
};`;

const script = `
- say: I send it.
  call: [{ tool: worker__send, input: { to: ann } }, { tool: worker__post, input: { to: bob } }]
- say: It is done.
`;

let folder: string;
let home: string;
let app: RunningApp;
let client: Client;
let stopWatching: AbortController;
/** What the person's screen knows. */
let state: PauseState;
let changed: () => void = () => {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-pause-"));
  home = join(folder, "home");
  const file = join(folder, "script.yaml");
  await writeFile(file, script);
  app = await startApp(home);
  ({ client } = await connectSocket(app));
  await app.cli("agent", "create", "Ada", "--model", `scripted:${file}`);
  for (const [key, text] of Object.entries({ worker, warden })) {
    const plugin = await writePlugin(join(folder, key), { key, files: { "index.js": text } });
    await app.cli("plugin", "install", plugin, "--yes");
    await app.cli("plugin", "enable", key, "--agent", "ada");
  }
  stopWatching = new AbortController();
  const watching = await client.pauses.watch(undefined, { signal: stopWatching.signal });
  const first = await watching.next();
  if (first.done) throw new Error("nothing to watch");
  state = first.value;
  void (async () => {
    for await (const next of watching) {
      state = next;
      changed();
    }
  })().catch(() => {});
}, 120_000);

afterAll(async () => {
  stopWatching.abort();
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

async function stoppedAt(fits: (pause: Pause) => boolean): Promise<Pause> {
  for (;;) {
    const found = state.pauses.find(fits);
    if (found) return found;
    await new Promise<void>((resolve) => {
      changed = resolve;
    });
  }
}

const breakAt = (input: BreakpointInput): Promise<Breakpoint> =>
  client.breakpoints.add({ agentId: "ada", ...input });
const resume = (pause: Pause, answer: PauseAnswer) => client.pauses.resume({ id: pause.id, answer });

/** Begins a turn; approvals are handed over and allowed. */
function prompt(text: string, approvals: Approval[] = []): Promise<TurnEvent[]> {
  return (async () => {
    const events: TurnEvent[] = [];
    for await (const event of await client.sessions.prompt({ agentId: "ada", text })) {
      events.push(event);
      if (event.type !== "approval_requested") continue;
      approvals.push(...(await client.approvals.list()).filter(({ id }) => id === event.approvalId));
      const answer = { decision: "allow", scope: "once" } as const;
      await client.approvals.decide({ id: event.approvalId, answer });
    }
    return events;
  })();
}

/** The lines of the newest turn's record as they stand on disk, and the same turn run again. */
async function recordedAndReplayed(events: readonly TurnEvent[]) {
  const started = events.find((event) => event.type === "turn_started");
  if (started?.type !== "turn_started") throw new Error("no turn");
  const { sessionId, turnId } = started;
  const path = join(home, "agents", "ada", "sessions", `${sessionId}.record.jsonl`);
  const lines = (await readFile(path, "utf8"))
    .trim()
    .split("\n")
    .filter((line) => (JSON.parse(line) as RecordEvent).turnId === turnId);
  const blobs = blobsOf(home, "ada", sessionId);
  const replayed = await replayTurn({
    lines,
    entries: await client.sessions.entries({ agentId: "ada", sessionId }),
    files: filesOf(home, "ada", sessionId),
    getBlob: (address) => blobs.get(address),
  });
  return { record: lines.map((line): RecordEvent => JSON.parse(line)), lines, replayed };
}

function traces(events: readonly TurnEvent[]): ToolTrace[] {
  return events.flatMap((event) => (event.type === "tool_ended" ? [event.trace] : []));
}

test("a breakpoint edits arguments: the approval, the tool, the trace and a replay have the old and the new ones", async () => {
  const send = await breakAt({ where: "tool", tool: "worker__send", name: "mail" });
  const approvals: Approval[] = [];
  const prompted = prompt("Send it", approvals);
  const pause = await stoppedAt(({ where }) => where === "tool");
  expect(pause).toMatchObject({
    title: "worker.send",
    plugin: "worker",
    breakpoint: { id: send.id, name: "mail" },
    goesOnAt: null,
  });
  expect(await client.pauses.look({ id: pause.id })).toMatchObject({
    subject: { where: "tool", arguments: { to: "ANN" } },
    schema: { required: ["to"] },
  });
  const wrong = { where: "tool" as const, arguments: { to: 7 } };
  await expect(resume(pause, { action: "continue", step: false, edit: wrong })).rejects.toMatchObject({
    code: "ARGUMENTS_INVALID",
    data: { details: { problems: [{ field: "to" }] } },
  });
  const edit = { where: "tool" as const, arguments: { to: "carol" } };
  await resume(pause, { action: "continue", step: false, edit });
  const events = await prompted;

  expect(approvals[0]).toMatchObject({
    arguments: { to: "carol" },
    changedBy: ["warden"],
    editedByPerson: { before: { to: "ANN" } },
  });
  const [sent, posted] = traces(events);
  expect(sent).toMatchObject({
    arguments: { to: "ann" },
    finalArguments: { to: "carol" },
    editedByPerson: { before: { to: "ANN" } },
    outcome: "executed",
    result: { content: [{ text: "send to carol." }] },
  });
  expect(posted).not.toHaveProperty("editedByPerson");
  const { record, lines, replayed } = await recordedAndReplayed(events);
  const logged = record.flatMap((event) => (event.type === "log" ? [event.text] : []));
  expect(logged).toEqual(["asked about ann", "asked about carol for good", "asked about bob"]);
  expect(record.find(({ type }) => type === "resumed")).toMatchObject({
    action: "continue",
    by: { kind: "owner" },
    edit: { before: { arguments: { to: "ANN" } }, after: { arguments: { to: "carol" } } },
  });
  const span = traceOf(record).spans.find(({ kind }) => kind === "pause");
  expect(span).toMatchObject({ name: "worker.send", state: "changed", owner: "worker" });
  expect(replayed.difference).toBeNull();
  expect(replayed.lines).toEqual(lines);
  await client.breakpoints.remove({ agentId: "ada", id: send.id });
});

test("a turn with a step, a given result, a changed result, a hook left out and a given answer is replayed as it was", async () => {
  await client.breakpoints.next({ agentId: "ada", on: true });
  const result = await breakAt({ where: "result", tool: "worker__post" });
  const final = await breakAt({
    where: "hook",
    event: "message.final@v1",
    condition: 'text contains "done"',
  });
  const prompted = prompt("Send it");
  await resume(await stoppedAt(({ where }) => where === "model"), { action: "continue", step: true });
  // The answer's hook comes next, then the call.
  const hook = await stoppedAt(({ where, title }) => where === "hook" && title === "message.final@v1");
  await resume(hook, { action: "continue", step: true });
  const before = await stoppedAt(({ where, title }) => where === "hook" && title === "tool.before@v1");
  await resume(before, { action: "continue", step: true });
  const tool = await stoppedAt(({ where }) => where === "tool");
  await resume(tool, { action: "skip", step: false, text: "Sent by hand." });
  const answered = await stoppedAt(({ where }) => where === "result");
  const edit = {
    where: "result" as const,
    content: [{ type: "text" as const, text: "posted" }],
    isError: false,
  };
  await resume(answered, { action: "continue", step: false, edit });
  const last = await stoppedAt(({ where, id }) => where === "hook" && id !== hook.id && id !== before.id);
  expect((await client.pauses.look({ id: last.id })).subject).toMatchObject({
    payload: { text: "It is done." },
  });
  await resume(last, { action: "skip", step: false, text: "" });
  const events = await prompted;

  expect(events.at(-1)).toMatchObject({ type: "turn_ended", outcome: "done", text: "It is done." });
  const [sent, posted] = traces(events);
  expect(sent).toMatchObject({ givenByPerson: true, executeMs: null });
  expect(sent?.result?.content).toEqual([{ type: "text", text: "Sent by hand." }]);
  expect(posted?.result?.content).toEqual([{ type: "text", text: "posted." }]);
  const { lines, replayed } = await recordedAndReplayed(events);
  expect(replayed.difference).toBeNull();
  expect(replayed.lines).toEqual(lines);
  for (const { id } of [result, final]) await client.breakpoints.remove({ agentId: "ada", id });

  const model = await breakAt({ where: "model" });
  const given = prompt("Say something");
  await resume(await stoppedAt(({ where }) => where === "model"), {
    action: "skip",
    step: false,
    text: "Something.",
  });
  const said = await given;
  expect(said.at(-1)).toMatchObject({ outcome: "done", text: "Something. Goodbye." });
  const again = await recordedAndReplayed(said);
  expect(again.replayed.difference).toBeNull();

  const stopped = prompt("Never mind");
  await resume(await stoppedAt(({ where }) => where === "model"), { action: "stop" });
  const ended = await stopped;
  expect(ended.at(-1)).toMatchObject({ outcome: "aborted" });
  const over = await recordedAndReplayed(ended);
  expect(over.record.map(({ type }) => type).slice(-4)).toEqual([
    "paused",
    "resumed",
    "stop_asked",
    "turn_ended",
  ]);
  expect(over.replayed.difference).toBeNull();

  const aborted = prompt("Never mind either");
  const pause = await stoppedAt(({ where }) => where === "model");
  await client.sessions.abort({ agentId: "ada", sessionId: pause.sessionId });
  const cut = await recordedAndReplayed(await aborted);
  expect(cut.record.map(({ type }) => type).slice(-4)).toEqual([
    "paused",
    "stop_asked",
    "resumed",
    "turn_ended",
  ]);
  expect(cut.replayed.difference).toBeNull();
  await client.breakpoints.remove({ agentId: "ada", id: model.id });
});

test("a condition that cannot be read is refused at its place", async () => {
  await expect(breakAt({ where: "tool", condition: "args.to contains" })).rejects.toMatchObject({
    code: "CONDITION_INVALID",
    data: { details: { fault: "value_missing", at: 16 } },
  });
  expect(await client.breakpoints.list({ agentId: "ada" })).toEqual([]);
});

test("Patchbay is closed while a turn stands still: it ends as stopped, and its record is replayed to the end", async () => {
  await breakAt({ where: "tool" });
  const prompted = prompt("Send it").catch(() => []);
  const pause = await stoppedAt(({ where }) => where === "tool");
  await app.close();
  await prompted;
  app = await startApp(home);
  ({ client } = await connectSocket(app));
  const { sessionId, turnId } = pause;
  if (turnId === null) throw new Error("no turn");
  const turn = await client.traces.turn({ agentId: "ada", sessionId, turnId });
  expect(turn.at(-1)).toMatchObject({ type: "turn_ended", outcome: "aborted" });
  expect(turn.find(({ type }) => type === "resumed")).toMatchObject({
    action: "stop",
    why: "closed",
    by: null,
  });
  // Breakpoints are kept as long as the core runs.
  expect(await client.breakpoints.list({ agentId: "ada" })).toEqual([]);
  const started = { type: "turn_started", sessionId, turnId } as TurnEvent;
  expect((await recordedAndReplayed([started])).replayed.difference).toBeNull();
});
