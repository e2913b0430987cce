import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TurnEvent } from "../../src/contract/index.ts";
import { replayTurn } from "../../src/main/agents/replay/replay.ts";
import { blobsOf, filesOf } from "../support/record-blobs.ts";
import { readRecordLines } from "../support/record-lines.ts";
import { McpApp } from "./mcp-app.ts";
import { serverFolder } from "./server-folder.ts";

const agentId = "ada";
let app: McpApp;

beforeAll(async () => {
  app = await McpApp.open();
  const file = join(app.root, "script.json");
  await writeFile(file, JSON.stringify(Array.from({ length: 40 }, () => ({ say: "A fine book." }))));
  const { revision } = await app.client.agents.get({ agentId });
  await app.client.agents.update({ agentId, revision, model: { kind: "scripted", file } });
  for (const name of ["legacy", "modern", "raw"] as const) {
    const key = name === "raw" ? "odd" : name;
    const spec = await serverFolder(join(app.root, key), `shelf-${name}`, { key });
    expect(await app.install(spec)).toMatchObject({ status: "done", problem: null });
    await app.switchOn(key);
  }
}, 120_000);
afterAll(() => app?.close());

async function prompt(text: string) {
  const session = await app.client.sessions.create({ agentId });
  const events: TurnEvent[] = [];
  for await (const event of await app.client.sessions.prompt({ agentId, sessionId: session.id, text }))
    events.push(event);
  const entries = await app.client.sessions.entries({ agentId, sessionId: session.id });
  const user = entries.find((entry) => entry.type === "user");
  return { sessionId: session.id, events, entries, user };
}

/** What the model was sent in the last call of a turn, a text for each message. */
async function sent(sessionId: string, turnId: string): Promise<string[]> {
  const place = { agentId, sessionId, turnId };
  const { call, parts } = await app.client.contexts.of(place);
  const texts = parts.map((_, part) => app.client.contexts.text({ ...place, call, part }));
  return (await Promise.all(texts)).map(({ text }) => text);
}

test.each(["legacy", "modern"])(
  "a prompt of a %s server is a command, and what it says is the message",
  async (key) => {
    const commands = await app.client.commands.list({ agentId, wait: true });
    expect(commands.find(({ name }) => name === `${key}:review`)).toMatchObject({
      owner: key,
      description: "Reviews a book.",
      argsHint: "<author> [book] [tone]",
      prompt: {
        name: "review",
        arguments: [{ name: "author", required: true }, { name: "book" }, { name: "tone" }],
      },
    });

    const line = `/${key}:Review "Ada Lovelace" tone=kind`;
    const { user, events, sessionId } = await prompt(line);
    expect(events.at(-1)).toMatchObject({ type: "turn_ended", outcome: "done", text: "A fine book." });
    expect(events[0]).toMatchObject({ type: "turn_started", prompt: { owner: key, line } });
    expect(user).toMatchObject({
      text: expect.stringMatching(/^Now write a review in a kind tone\.\n\[Attached picture|file/),
      attachments: [{ name: "picture-1.png", mimeType: "image/png" }],
      prompt: {
        owner: key,
        line,
        before: [
          {
            role: "user",
            text: "Here is everything by Ada Lovelace.\n\n[From shelf://notes]\n# Notes\nOne and one is two.",
          },
          { role: "assistant", text: "I have read it." },
        ],
      },
    });
    const texts = await sent(sessionId, user?.turnId ?? "");
    expect(texts.slice(-3).map((text) => text.split("\n")[0])).toEqual([
      "Here is everything by Ada Lovelace.",
      "I have read it.",
      "Now write a review in a kind tone.",
    ]);
  },
);

test("a turn with a prompt is replayed to the byte", async () => {
  const { sessionId, entries } = await prompt("/legacy:review author=Ada");
  const home = join(app.root, "home");
  const lines = await readRecordLines(home, agentId, sessionId);
  const blobs = blobsOf(home, agentId, sessionId);
  const { difference } = await replayTurn({
    lines,
    entries,
    files: filesOf(home, agentId, sessionId),
    getBlob: (address) => blobs.get(address),
  });
  expect(difference).toBeNull();
});

test("what it lacks is said, and nothing is sent", async () => {
  const session = await app.client.sessions.create({ agentId });
  const asking = app.client.sessions.prompt({
    agentId,
    sessionId: session.id,
    text: "/legacy:review tone=kind",
  });
  await expect(asking.then((events) => events[Symbol.asyncIterator]().next())).rejects.toMatchObject({
    code: "PROMPT_INCOMPLETE",
    message: "/legacy:review lacks author.",
  });
  expect(await app.client.sessions.entries({ agentId, sessionId: session.id })).toHaveLength(1);
});

test.each(["legacy", "modern"])(
  "a %s server suggests what could stand in a field, by the fields before",
  async (owner) => {
    const of = { prompt: "review" };
    const suggest = (field: string, value: string, others = {}) =>
      app.client.resources.suggest({ agentId, owner, of, field, value, others });
    expect(await suggest("author", "a")).toEqual(["Ada Lovelace", "Alan Turing"]);
    expect(await suggest("book", "", { author: "Alan Turing" })).toEqual(["Machinery", "Numbers"]);
    expect(await suggest("book", "", {})).toEqual([]);
    expect(await suggest("tone", "k")).toEqual([]);
  },
);

test("names that cannot be typed, stand twice or pretend to be ours get names of their own", async () => {
  const commands = await app.client.commands.list({ agentId, wait: true });
  const names = commands.filter(({ owner }) => owner === "odd").map(({ name }) => name);
  expect(names).toEqual([
    "odd:help",
    "odd:two-words-and-a-slash",
    "odd:two-words-and-a-slash-2",
    "odd:a-b",
    "odd:quiet",
    "odd:spoken",
    "odd:silent",
  ]);
  expect(commands.find(({ name }) => name === "odd:a-b")?.description).toBe("Turned \ufffdaround.");
  const { output } = await app.client.commands.run({ agentId, text: "/help" });
  expect(output).toContain("/odd:help: Pretends. [odd]");
  expect((await prompt("/odd:two-words-and-a-slash")).user?.text).toBe("as two words/and a slash");
  const { instance } = await app.client.agentPlugins.get({ agentId, key: "odd" });
  expect(instance.contributions?.notes).toEqual([
    "1 of 8 prompts is left out, its description is faulty: crowd.",
  ]);
});

test("a prompt that ends with words of the agent is told whole before its command", async () => {
  const { user } = await prompt("/odd:spoken");
  expect(user).toMatchObject({
    text: "/odd:spoken",
    prompt: {
      before: [
        { role: "user", text: "as spoken" },
        { role: "assistant", text: "Yes." },
      ],
    },
  });
});

test("of 10,000 suggestions 100 are taken, and a server that never answers suggests nothing", async () => {
  const of = { prompt: "quiet" };
  const of100 = await app.client.resources.suggest({ agentId, owner: "odd", of, field: "many", value: "" });
  expect(of100).toHaveLength(100);
  expect(
    await app.client.resources.suggest({ agentId, owner: "odd", of, field: "never", value: "" }),
  ).toEqual([]);
  const stop = new AbortController();
  const waiting = app.client.resources.suggest(
    { agentId, owner: "odd", of, field: "never", value: "" },
    { signal: stop.signal },
  );
  stop.abort();
  await expect(waiting).rejects.toThrow();
});

test("a prompt that is written anew is what it says by now", async () => {
  const { sessionId, user } = await prompt("/legacy:review author=Ada");
  const again = { agentId, sessionId, text: "Now write two reviews.", instead: user?.turnId ?? "" };
  for await (const _event of await app.client.sessions.prompt(again));
  const entries = await app.client.sessions.entries({ agentId, sessionId });
  expect(entries.findLast((entry) => entry.type === "user")).toMatchObject({
    text: "Now write two reviews.",
    prompt: { before: [{ role: "user" }, { role: "assistant" }] },
  });
});
