import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { processesWith } from "../fledge/processes.ts";
import { Workbench } from "./workbench.ts";

let root: string;
let workspace: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "patchbay-workspace-"));
  workspace = join(root, "work");
  await mkdir(workspace);
  await writeFile(join(root, "outside.txt"), "outside");
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function run(tool: string, input: Record<string, unknown>, signal?: AbortSignal) {
  await using bench = await Workbench.open({ workspace });
  const { output, trace } = await bench.call(tool, input, { approved: true, ...(signal && { signal }) });
  const text = output.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return { text, outcome: trace.outcome, code: trace.problem?.code, details: output.details };
}

test("a file is written, read and listed inside of the workspace", async () => {
  expect(await run("write_file", { path: "notes/today.txt", content: "hello wörld" })).toMatchObject({
    outcome: "executed",
    details: { bytes: 12, created: true },
  });
  expect(await run("read_file", { path: "notes/today.txt" })).toMatchObject({ text: "hello wörld" });
  expect((await run("list_files", {})).text).toBe("notes/");
  expect((await run("list_files", { recursive: true })).text).toBe("notes/\nnotes/today.txt");
});

test("a long file is read in parts", async () => {
  await writeFile(join(workspace, "long.txt"), "abcdefghij");
  expect((await run("read_file", { path: "long.txt", limit: 4 })).text).toBe(
    "abcd\n[6 more bytes; go on with offset 4]",
  );
  expect((await run("read_file", { path: "long.txt", offset: 8 })).text).toBe("ij");
});

test.each([
  ["read_file", { path: "../outside.txt" }],
  ["read_file", { path: "link.txt" }],
  ["read_file", { path: "dir-link/outside.txt" }],
  ["list_files", { path: ".." }],
  ["list_files", { path: "dir-link" }],
  ["write_file", { path: "../new.txt", content: "x" }],
  ["write_file", { path: "link.txt", content: "x" }],
  ["write_file", { path: "dir-link/new.txt", content: "x" }],
  ["write_file", { path: "dir-link/deep/new.txt", content: "x" }],
  ["write_file", { path: "dangling.txt", content: "x" }],
])("%s %j does not leave the workspace", async (tool, input) => {
  await symlink(join(root, "outside.txt"), join(workspace, "link.txt"));
  await symlink(root, join(workspace, "dir-link"));
  await symlink(join(root, "not-there-yet.txt"), join(workspace, "dangling.txt"));

  expect(await run(tool, input)).toMatchObject({ outcome: "failed", code: "TOOL_FAILED" });

  expect(await readFile(join(root, "outside.txt"), "utf8")).toBe("outside");
  await expect(readFile(join(root, "new.txt"))).rejects.toThrow("ENOENT");
  await expect(readFile(join(root, "not-there-yet.txt"))).rejects.toThrow("ENOENT");
});

test("an absolute path inside of the workspace is fine, one outside is not", async () => {
  await writeFile(join(workspace, "in.txt"), "in");
  expect(await run("read_file", { path: join(workspace, "in.txt") })).toMatchObject({ text: "in" });
  expect(await run("read_file", { path: join(root, "outside.txt") })).toMatchObject({
    outcome: "failed",
    text: expect.stringContaining("is outside of the workspace"),
  });
});

test("what is no text file, or not there, is answered with a sentence", async () => {
  await writeFile(join(workspace, "binary"), Buffer.from([1, 0, 2]));
  expect((await run("read_file", { path: "binary" })).text).toBe("binary is not a text file.");
  expect((await run("read_file", { path: "." })).text).toMatch(/is not a file/);
  expect((await run("read_file", { path: "gone.txt" })).text).toBe("gone.txt is not there.");
  expect((await run("read_file", { path: "a\0b" })).outcome).toBe("failed");
  await rm(workspace, { recursive: true });
  expect((await run("list_files", {})).text).toMatch(/The workspace folder .* is not there/);
});

test("a command runs in the workspace and answers with its output and exit code", async () => {
  expect(await run("shell", { command: "pwd; echo warning >&2" })).toMatchObject({
    outcome: "executed",
    text: expect.stringContaining("warning"),
    details: { exitCode: 0 },
  });
  expect(await run("shell", { command: "echo before; exit 3" })).toMatchObject({
    outcome: "failed",
    text: "The command failed, exit code 3.\nbefore",
  });
});

test("a command sees none of the app's environment but what it needs to find programs", async () => {
  process.env.PATCHBAY_TEST_SECRET = "hidden";
  const { text } = await run("shell", { command: "env" });
  delete process.env.PATCHBAY_TEST_SECRET;
  expect(text).toContain("PATH=");
  expect(text).not.toContain("hidden");
});

test("the output of a command is capped in its middle", async () => {
  const { text } = await run("shell", {
    command: "echo start; head -c 2000000 /dev/zero | tr '\\0' x; echo; echo end",
  });
  expect(text.length).toBeLessThan(140_000);
  expect(text.startsWith("start\n")).toBe(true);
  expect(text).toMatch(/\[\d+ bytes left out\]/);
  expect(text.endsWith("end\n")).toBe(true);
});

test("a command that takes too long is ended with everything it started", async () => {
  const { outcome, code } = await run("shell", {
    command: "sleep 300.0711 & echo $! > child.pid; wait",
    timeoutMs: 400,
  });
  expect([outcome, code]).toEqual(["timed_out", "TOOL_TIMEOUT"]);
  await expectGone("sleep\x180.0711");
});

test("an abort ends a command with everything it started", async () => {
  const stop = new AbortController();
  await using bench = await Workbench.open({ workspace });
  const pending = bench.call(
    "shell",
    { command: "sleep 300.0712 & echo $! > child.pid; echo ready; wait" },
    { approved: true, signal: stop.signal, onProgress: () => stop.abort() },
  );
  expect((await pending).trace).toMatchObject({ outcome: "failed", problem: { code: "ABORTED" } });
  await expectGone("sleep\x180.0712");
});

test("what a command leaves running in the background is ended with it", async () => {
  expect(await run("shell", { command: "sleep 300.0713 & echo $! > child.pid" })).toMatchObject({
    outcome: "executed",
  });
  await expectGone("sleep\x180.0713");
});

/** Behind a wall processes have numbers of their own, so they are found by what they were started with. */
async function expectGone(text: string): Promise<void> {
  await expect.poll(() => processesWith(text)).toEqual([]);
}
