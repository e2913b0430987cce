import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PolicyRule } from "../../src/contract/index.ts";
import { only, Workbench } from "./workbench.ts";

let root: string;
let workspace: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "patchbay-sent-files-"));
  workspace = join(root, "work");
  await mkdir(workspace);
  await writeFile(join(workspace, "report.csv"), "a,b");
  await writeFile(join(root, "secret.txt"), "secret");
});
afterEach(() => rm(root, { recursive: true, force: true }));

const opened: PolicyRule[] = [
  { tool: "send_file", effect: "allow", callers: [{ channel: "telegram" }] },
  { tool: "write_file", effect: "allow", callers: [{ channel: "telegram" }] },
];
const signal = new AbortController().signal;
const message = (text: string) => ({ conversation: "c", userId: "7", text, signal, messageId: text });
const send = (input: object) => ({ call: { tool: "send_file", input } });

test("a file that the agent sends goes out with its answer as it was then, also when it is asked for again", async () => {
  await using bench = await Workbench.open({ workspace, policy: opened });
  await bench.script([
    send({ path: "report.csv", name: "The report.csv" }),
    { call: { tool: "write_file", input: { path: "report.csv", content: "changed" } } },
    { say: "Here it is." },
  ]);
  const telegram = bench.agents.channels.of("a", "telegram");

  const answer = await telegram.prompt(message("report"));
  await rm(join(workspace, "report.csv"));
  await bench.agents.sessions.close();

  const data = Buffer.from("a,b").toString("base64");
  const attachments = [{ name: "The report.csv", mimeType: "text/csv", data }];
  expect(answer).toMatchObject({ text: "Here it is.", attachments });
  expect(await telegram.prompt(message("report"))).toEqual(answer);
});

test("a file needs no words beside it", async () => {
  await using bench = await Workbench.open({ workspace, policy: opened });
  await bench.script([send({ path: "report.csv" }), { say: "<NO_REPLY>" }, { say: "<NO_REPLY>" }]);
  const telegram = bench.agents.channels.of("a", "telegram");

  const answer = await telegram.prompt(message("report"));

  expect(answer).toMatchObject({ text: "", attachments: [{ name: "report.csv" }] });
  expect(answer).not.toHaveProperty("silent");
  expect(await telegram.prompt(message("and now nothing"))).toMatchObject({ silent: true });
});

test("nothing from outside of the workspace goes out, nothing too large, and nothing that is not there", async () => {
  await using bench = await Workbench.open({ workspace, policy: opened });
  await symlink(join(root, "secret.txt"), join(workspace, "link.txt"));
  await writeFile(join(workspace, "huge.bin"), "");
  await truncate(join(workspace, "huge.bin"), 26 * 1024 * 1024);
  await writeFile(join(workspace, "large.bin"), "");
  await truncate(join(workspace, "large.bin"), 20 * 1024 * 1024);
  await writeFile(join(workspace, "empty.txt"), "");
  const paths = [
    "../secret.txt",
    "link.txt",
    "huge.bin",
    "gone.txt",
    "empty.txt",
    ".",
    "large.bin",
    "large.bin",
  ];
  await bench.script([...paths.map((path) => send({ path })), { say: "Done." }]);

  const { attachments, sessionId } = await bench.agents.channels.of("a", "telegram").prompt(message("all"));

  expect(attachments?.map(({ name }) => name)).toEqual(["large.bin"]);
  const entries = await bench.agents.sessions.entries("a", sessionId);
  const said = entries.flatMap((entry) =>
    entry.type === "tool_result" ? entry.content.map((part) => (part.type === "text" ? part.text : "")) : [],
  );
  expect(said).toEqual([
    "../secret.txt is outside of the workspace.",
    "link.txt is outside of the workspace.",
    "huge.bin is larger than 25 MiB.",
    "gone.txt is not there.",
    "empty.txt is empty.",
    ". is not a file.",
    "large.bin goes out with your answer.",
    "The files of one answer may have 25 MiB together.",
  ]);
});

test("people of a channel get files only when a rule opens it, and at the desk it is not offered", async () => {
  await using bench = await Workbench.open({ workspace });
  await bench.script([
    send({ path: "report.csv" }),
    { say: "No." },
    send({ path: "report.csv" }),
    { say: "No." },
  ]);

  const answer = await bench.agents.channels.of("a", "telegram").prompt(message("report"));
  const events = await bench.prompt("report");

  expect(answer).not.toHaveProperty("attachments");
  const [entry] = (await bench.agents.sessions.entries("a", answer.sessionId)).filter(
    ({ type }) => type === "tool_result",
  );
  expect(entry).toMatchObject({ outcome: "denied" });
  expect(only(events, "tool_ended").trace).toMatchObject({ outcome: "failed" });
  expect(bench.agents.tools.offered("a", { kind: "owner" }).map(({ name }) => name)).not.toContain(
    "send_file",
  );
});
