import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordedTurns } from "../../src/main/agents/traces/traces.ts";
import { busy } from "../agents/replay-scenes.ts";
import { Workbench } from "../agents/workbench.ts";
import { type Bench, openBench } from "./support.ts";

let bench: Bench;
let kept: string;
const run = (...args: string[]) => bench.patchbay(["agent", "replay", ...args], { cwd: bench.folder });

beforeAll(async () => {
  bench = await openBench();
  await using work = await Workbench.open({ policy: [{ tool: "p__*", effect: "allow" }] });
  busy(work);
  await work.script([{ call: { tool: "p__do", input: { words: "hello" } } }, { say: "All done." }]);
  await work.prompt("Do it.");
  const [session] = await work.agents.sessions.list("a");
  const sessionId = session?.id ?? "";
  const [turn] = await recordedTurns(await work.agents.sessions.open("a", sessionId));
  ({ text: kept } = await work.replays.keep({ agentId: "a", sessionId, turnId: turn?.turnId ?? "" }));
  await writeFile(join(bench.folder, "kept.json"), kept);
  await writeFile(join(bench.folder, "half.json"), kept.slice(0, kept.length / 2));
});
afterAll(() => bench.remove());

test("a kept turn runs with nothing but its file, and opens no home", async () => {
  expect(await run("kept.json")).toMatchObject({ code: 0, stdout: "✓ “Do it.” is as it was.\n" });
  expect((await run("kept.json", "--json")).json()).toEqual({
    name: "Do it.",
    same: true,
    expect: ["calls", "decisions", "text"],
    differences: [],
  });
  expect(await readdir(bench.folder)).not.toContain("home");
});

test("a turn that ends otherwise is judged with what differs, and ends with 1", async () => {
  const other = JSON.parse(kept) as { events: object[] };
  // What the record says of the end is not what its hooks lead to.
  Object.assign(other.events.at(-1) ?? {}, { text: "All done. Farewell." });
  await writeFile(join(bench.folder, "other.json"), JSON.stringify(other));
  const { code, stdout } = await run("other.json");
  expect(stdout).toContain("✗ “Do it.” is not as it was.");
  expect(stdout).toContain("The turn: the text is another\n");
  expect(stdout).toContain("“All done. Farewell.” → “All done. Goodbye.”");
  expect(code).toBe(1);
  expect((await run("other.json", "--json")).json()).toMatchObject({ same: false });
});

test.each([
  [["half.json"], "The file is no JSON, or only a part of it."],
  [["nowhere.json"], "There is no file nowhere.json that can be read."],
  [["."], "is no file"],
])("%j is refused in words, with 2", async (args, words) => {
  const ended = await run(...args);
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr).toContain(words);
});

test.each([
  [["kept.json", "--live"], "--live needs --agent"],
  [["kept.json", "--without", "http"], "--without needs --live"],
  [["kept.json", "--at", "http@1.0.0"], "--at needs --live"],
  [["kept.json", "--model", "own"], "--model needs --live"],
  [["kept.json", "--live", "--agent", "helper", "--at", "http"], "such as weather@1.2.0"],
])("%j makes no sense, and says why", async (args, words) => {
  const ended = await run(...args);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(words);
});

test("with --live the plugins of an agent are asked, and one that is missing is named", async () => {
  const { code, stdout } = await run("kept.json", "--live", "--agent", "helper");
  expect(code).toBe(1);
  expect(stdout).toContain("Hook tool.before@v1 (warden): is not there any more");
  expect((await run("kept.json", "--live", "--agent", "nobody")).stderr).toContain("nobody");
});
