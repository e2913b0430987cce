import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Agent, SessionEntry } from "../../src/contract/index.ts";
import { IncomingFiles } from "../../src/main/agents/files/incoming-files.ts";
import { fileOf } from "../../src/main/agents/files/session-file.ts";
import { searchSessions } from "../../src/main/agents/sessions/search.ts";
import { versionsOf } from "../../src/main/agents/sessions/versions.ts";
import { modelServer, openaiStream } from "./model-server.ts";
import { only, Workbench } from "./workbench.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let workspace: string;
beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), "patchbay-written-anew-"));
});
afterEach(() => rm(workspace, { recursive: true, force: true }));

async function opened(...answers: string[]) {
  const bench = await Workbench.open({ workspace });
  await bench.script(answers.map((say) => ({ say })));
  const id = only(await bench.prompt("The capital?"), "turn_started").sessionId;
  const session = await bench.agents.sessions.open("a", id);
  const say = async (text: string, more: { instead?: string } = {}) =>
    only(await bench.prompt(text, { sessionId: id, ...more }), "turn_started").turnId;
  return { bench, id, session, say };
}

function said(entries: readonly SessionEntry[]): string[] {
  return entries.flatMap((entry) =>
    entry.type === "user" || entry.type === "assistant" ? [entry.text] : [],
  );
}

function turnOf(entries: readonly SessionEntry[], text: string): string {
  const found = entries.findLast((entry) => entry.type === "user" && entry.text === text);
  if (found?.type !== "user") throw new Error(`no message ${text}`);
  return found.turnId;
}

test("a message that is written anew takes its place; the old one stays as a version to go back to", async () => {
  const { bench, session, say } = await opened("Bern.", "Paris.", "Lyon.");
  await using _bench = bench;
  const first = turnOf(session.entries, "The capital?");
  expect(versionsOf(session.tree)).toEqual([]);

  const second = await say("Of France?", { instead: first });
  expect(said(session.path)).toEqual(["Of France?", "Bern."]);
  expect(said(session.entries)).toEqual(["The capital?", "Bern.", "Of France?", "Bern."]);
  const [row] = versionsOf(session.tree);
  expect(row).toMatchObject({ turnId: second, messages: { at: 1 }, answers: null });

  // The way back leads to the end of what was left, and its versions are the same ones.
  await bench.agents.moves.fork(session, row?.messages?.leaves[0] as string, "at", null);
  expect(said(session.path)).toEqual(["The capital?", "Bern."]);
  expect(versionsOf(session.tree)).toMatchObject([{ turnId: first, messages: { at: 0 }, answers: null }]);
});

test("the same words once more are another answer, and a version is told by its words alone", async () => {
  const { bench, session, say } = await opened("one", "two", "three");
  await using _bench = bench;
  const first = turnOf(session.entries, "The capital?");
  const second = await say("The capital?", { instead: first });
  expect(versionsOf(session.tree)).toMatchObject([
    { turnId: second, messages: null, answers: { at: 1, leaves: [expect.any(String), expect.any(String)] } },
  ]);
  const third = await say("Another", { instead: second });
  const [row] = versionsOf(session.tree);
  expect(row).toMatchObject({ turnId: third, messages: { at: 1 }, answers: null });
  // Of the two answers to the first wording the newest stands for it.
  expect(row?.messages?.leaves).toHaveLength(2);
  await bench.agents.moves.fork(session, row?.messages?.leaves[0] as string, "at", null);
  expect(versionsOf(session.tree)).toMatchObject([
    { turnId: second, messages: { at: 0 }, answers: { at: 1 } },
  ]);
});

test("what follows a message that is written anew is not sent to the model, and stays with its version", async () => {
  const { bench, session, say } = await opened("a", "b", "c", "d");
  await using _bench = bench;
  const first = turnOf(session.entries, "The capital?");
  await say("And then?");
  await say("From the start", { instead: first });
  expect(said(session.path)).toEqual(["From the start", "a"]);
  const [row] = versionsOf(session.tree);
  await bench.agents.moves.fork(session, row?.messages?.leaves[0] as string, "at", null);
  expect(said(session.path)).toEqual(["The capital?", "a", "And then?", "b"]);
  expect(session.path.at(-1)?.type).toBe("turn_end");
});

test("a message that is not there, or of a conversation at work, is refused with a sentence", async () => {
  const { bench, id, session } = await opened("Bern.");
  await using _bench = bench;
  const anew = (instead: string) => bench.prompt("x", { sessionId: id, instead });
  await expect(anew("nowhere")).rejects.toMatchObject({ code: "ENTRY_NOT_FOUND" });
  const release = Promise.withResolvers<void>();
  const busy = session.serial(() => release.promise);
  await expect(anew(turnOf(session.entries, "The capital?"))).rejects.toMatchObject({ code: "BAD_INPUT" });
  release.resolve();
  await busy;
});

async function handIn(bench: Workbench, id: string, name: string, mimeType: string, bytes: Buffer) {
  const session = await bench.agents.sessions.open("a", id);
  const taken = await new IncomingFiles().take(session, {
    name,
    mimeType,
    bytes: bytes.length,
    piece: bytes,
  });
  expect(taken.received).toBe(bytes.length);
  return { upload: taken.id };
}

test("a picture is sent to the model with its message, and comes along when that is written anew", async () => {
  const answer = () => ({ events: openaiStream({ text: ["A dot."] }) });
  await using server = await modelServer([answer(), answer()]);
  const model: Agent["model"] = { kind: "openai-compatible", model: "eyes", baseUrl: server.url };
  await using bench = await Workbench.open({ model, workspace });
  const { id } = await bench.agents.createSession("a");
  const upload = await handIn(bench, id, "dot.png", "image/png", png);
  await bench.prompt("What is this?", { sessionId: id, attachments: [upload] });

  const shown = (at: number) =>
    JSON.stringify((server.requests[at]?.body.messages as unknown[] | undefined)?.at(-1));
  expect(shown(0)).toContain(png.toString("base64"));
  expect(shown(0)).toContain("What is this?");

  const session = await bench.agents.sessions.open("a", id);
  const user = session.path.find((entry) => entry.type === "user");
  if (user?.type !== "user") throw new Error("no message");
  const [kept] = user.attachments ?? [];
  expect(kept).toMatchObject({ name: "dot.png", mimeType: "image/png", bytes: png.length });
  expect(kept).not.toHaveProperty("workspacePath");
  const attachments = [{ kept: kept?.file as string }];
  await bench.prompt("And its colour?", { sessionId: id, attachments, instead: user.turnId });
  expect(shown(1)).toContain(png.toString("base64"));
  expect(shown(1)).not.toContain("What is this?");
  const file = await fileOf(session, kept?.file as string);
  expect([file.name, file.type, Buffer.from(await file.arrayBuffer()).equals(png)]).toEqual([
    "dot.png",
    "image/png",
    true,
  ]);
});

test("a model that is known to take no pictures gets them as files", async () => {
  await using server = await modelServer([{ events: openaiStream({ text: ["Looked."] }) }]);
  const model: Agent["model"] = { kind: "openai", model: "gpt-4", apiKey: "${KEY}", baseUrl: server.url };
  await using bench = await Workbench.open({ model, workspace });
  bench.secrets.set("KEY", "sk-1");
  const { id } = await bench.agents.createSession("a");
  const upload = await handIn(bench, id, "dot.png", "image/png", png);
  await bench.prompt("What is this?", { sessionId: id, attachments: [upload] });
  const sent = JSON.stringify(server.requests[0]?.body);
  expect(sent).not.toContain(png.toString("base64"));
  expect(sent).toContain("[Attached file: attachments/dot.png (image/png,");
  expect((await readFile(join(workspace, "attachments", "dot.png"))).equals(png)).toBe(true);
});

test("another file lies in the workspace for the agent's tools, and needs no words beside it", async () => {
  await using bench = await Workbench.open({ workspace });
  await bench.script([{ say: "Read." }]);
  const { id } = await bench.agents.createSession("a");
  const upload = await handIn(bench, id, "../notes.txt", "text/plain", Buffer.from("remember"));
  const events = await bench.prompt("", { sessionId: id, attachments: [upload] });
  const begun = only(events, "turn_started");
  expect(begun.attachments).toMatchObject([{ name: "notes.txt", workspacePath: "attachments/notes.txt" }]);
  expect(begun.text).toContain("[Attached file: attachments/notes.txt (text/plain, 8 B)]");
  expect(await readFile(join(workspace, "attachments", "notes.txt"), "utf8")).toBe("remember");
});

test("a file comes in pieces, in order; a file that is gone, too large or beside a command is refused", async () => {
  await using bench = await Workbench.open({ workspace });
  await bench.script([{ say: "ok" }]);
  const { id } = await bench.agents.createSession("a");
  const session = await bench.agents.sessions.open("a", id);
  const incoming = new IncomingFiles();
  const file = { name: "long.bin", mimeType: "application/octet-stream", bytes: 6 };
  const begun = await incoming.take(session, { ...file, piece: Buffer.from("abc") });
  expect(begun.received).toBe(3);
  const piece = (at: number, text: string) =>
    incoming.take(session, { ...file, piece: Buffer.from(text), goesOn: { id: begun.id, at } });
  await expect(piece(2, "c")).rejects.toMatchObject({ code: "BAD_INPUT" });
  const send = (upload: string, text = "see") =>
    bench.prompt(text, { sessionId: id, attachments: [{ upload }] });
  await expect(send(begun.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await piece(3, "def")).received).toBe(6);
  await send(begun.id);
  expect(await readFile(join(workspace, "attachments", "long.bin"), "utf8")).toBe("abcdef");
  await expect(send(begun.id, "/help")).rejects.toMatchObject({ code: "BAD_INPUT" });
  const large = { name: "big.iso", mimeType: "", bytes: 26 * 1024 * 1024, piece: Buffer.alloc(1) };
  await expect(incoming.take(session, large)).rejects.toThrow("big.iso is larger than 25 MiB.");
});

test("a pinned conversation is listed first, also after a restart; the search finds what tools answered and what was left", async () => {
  const { bench, id, session, say } = await opened("Bern.", "x");
  await using _bench = bench;
  await bench.script([{ say: "Zug." }]);
  await say("Written anew", { instead: turnOf(session.entries, "The capital?") });
  await session.pin(true);
  await writeFile(join(workspace, "tide-table.csv"), "");
  await bench.script([{ call: { tool: "list_files" } }, { say: "There." }]);
  const second = only(await bench.prompt("What lies here?"), "turn_started").sessionId;
  await bench.agents.sessions.close();

  const { sessions } = bench.agents;
  const listed = await searchSessions(sessions, "a", "");
  expect(listed.map((one) => [one.session.id, one.session.pinned ?? false])).toEqual([
    [id, true],
    [second, false],
  ]);
  const found = async (words: string) =>
    (await searchSessions(sessions, "a", words)).map((one) => one.session.id);
  expect(await found("tide-table")).toEqual([second]);
  expect(await found("Bern.")).toEqual([id]);
});
