import { mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Attempt } from "../../src/main/platform/walls/wall.ts";
import { insideWorkspace, openInside } from "../../src/main/platform/workspace.ts";
import { Workbench } from "../agents/workbench.ts";

/** What a model, or whoever talks it into something, tries with the built-in tools. */

let root: string;
let workspace: string;
let bench: Workbench;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "patchbay-tools-")));
  workspace = join(root, "work");
  await mkdir(join(workspace, "notes"), { recursive: true });
  await writeFile(join(workspace, "notes", "plan"), "the plan");
  await mkdir(join(root, "outside"));
  await writeFile(join(root, "outside", "plan"), "SECRET");
  bench = await Workbench.open({ workspace }, join(root, "home"));
  await mkdir(bench.home, { recursive: true });
  await writeFile(join(bench.home, "vault.key"), "THE-KEY");
});
afterEach(async () => {
  await bench[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

async function call(tool: string, input: Record<string, unknown>) {
  const { output, trace } = await bench.call(tool, input, { approved: true });
  const text = output.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return { text, outcome: trace.outcome };
}

/** What a race wins: the path was found to be inside, and before it is opened the folder becomes a link. */
async function swapped() {
  const refused: Attempt[] = [];
  const place = { workspace, root: bench.home, refused: (attempt: Attempt) => void refused.push(attempt) };
  const path = await insideWorkspace(place, "notes/plan");
  await rename(join(workspace, "notes"), join(workspace, "away"));
  await symlink(join(root, "outside"), join(workspace, "notes"));
  return { path, refused };
}

const isAttempt = (target: string) => ({ wall: "files", target, seenBy: "wall" });

test("a folder that becomes a link after it was checked is not read through", async () => {
  const { path, refused } = await swapped();
  await expect(openInside(path, 0)).rejects.toMatchObject({
    code: process.platform === "linux" ? "ENOTDIR" : expect.any(String),
  });
  if (process.platform === "linux") expect(refused).toEqual([isAttempt(join(workspace, "notes", "plan"))]);
});

test("a folder that becomes a link after it was checked is not written through", async () => {
  const { path, refused } = await swapped();
  await expect(openInside({ ...path, parts: ["notes", "new"] }, 0o101, { make: true })).rejects.toThrow();
  if (process.platform === "linux") expect(refused).toEqual([isAttempt(join(workspace, "notes", "new"))]);
  expect(await readFile(join(root, "outside", "plan"), "utf8")).toBe("SECRET");
});

test.each(["read_file", "list_files", "write_file"])(
  "%s does not reach Patchbay's own folder where the workspace holds it, and says so",
  async (tool) => {
    bench.agent = { ...bench.agent, workspace: root };
    const path = tool === "list_files" ? "home" : "home/vault.key";
    const { text, outcome } = await call(tool, { path, ...(tool === "write_file" && { content: "x" }) });
    expect(outcome).toBe("failed");
    expect(text).toContain("Patchbay's own folder");
    const target = tool === "list_files" ? bench.home : join(bench.home, "vault.key");
    expect(bench.audit).toContainEqual(
      expect.objectContaining({ kind: "wall.refused", tool, ...isAttempt(target) }),
    );
    expect(await readFile(join(bench.home, "vault.key"), "utf8")).toBe("THE-KEY");
  },
);

test("a listing of everything below leaves Patchbay's own folder out", async () => {
  bench.agent = { ...bench.agent, workspace: root };
  const { text } = await call("list_files", { recursive: true });
  expect(text).toContain("work/notes/plan");
  expect(text).not.toContain("vault.key");
});

test.each([
  ["read_file", { path: "../outside/plan" }],
  ["list_files", { path: "/etc" }],
  ["write_file", { path: "../outside/plan", content: "x" }],
])("%s does not reach what is outside of the workspace, and that is in the audit", async (tool, input) => {
  const { text, outcome } = await call(tool, input);
  expect(outcome).toBe("failed");
  expect(text).toContain("is outside of the workspace");
  const target = tool === "list_files" ? "/etc" : join(root, "outside", "plan");
  expect(bench.audit).toContainEqual(
    expect.objectContaining({ kind: "wall.refused", tool, ...isAttempt(target) }),
  );
  expect(await readFile(join(root, "outside", "plan"), "utf8")).toBe("SECRET");
});

test("a file that is listed as a folder is a mistake, and nobody is accused of it", async () => {
  const { outcome } = await call("list_files", { path: "notes/plan" });
  expect(outcome).toBe("failed");
  expect(bench.audit.filter(({ kind }) => kind === "wall.refused")).toEqual([]);
});

test("the shell reads no key of Patchbay or of the person, and that is in the audit and in its output", async () => {
  const { text } = await call("shell", { command: `cat ~/.ssh/id_rsa ${bench.home}/vault.key; echo done` });
  expect(text).not.toContain("THE-KEY");
  expect(text).toContain("done");
  expect(text).toMatch(/Patchbay refused \(files\): .*vault\.key/);
  const targets = bench.audit.filter(({ kind }) => kind === "wall.refused").map(({ target }) => target);
  expect(targets).toEqual(
    expect.arrayContaining([expect.stringContaining(".ssh/id_rsa"), join(bench.home, "vault.key")]),
  );
});

test("the shell does not reach this computer's servers when the person says no, and that is in the audit", async () => {
  bench.agents.changes.once("dialog", ({ id }) => bench.agents.dialogs.answer(id, "no"));
  const { text } = await call("shell", { command: "NO_PROXY= curl -sS http://127.0.0.1:7777/; echo done" });
  expect(text).toContain("Nobody allowed commands of this agent to reach 127.0.0.1:7777.");
  expect(bench.audit).toContainEqual(
    expect.objectContaining({ kind: "wall.refused", tool: "shell", target: "127.0.0.1:7777" }),
  );
});

test("the shell works in its workspace, with servers of its own and the settings of git", async () => {
  const { text } = await call("shell", {
    command:
      "cat notes/plan; echo new > notes/new; (timeout 5 python3 -m http.server 7779 --bind 127.0.0.1 >/dev/null 2>&1 &); for i in 1 2 3 4 5 6 7 8 9 10; do curl -sf http://127.0.0.1:7779/notes/new && break; sleep 0.3; done; git --version",
  });
  expect(text).toMatch(/^the plan/);
  expect(text).toContain("new\n");
  expect(text).toContain("git version");
  expect(await readFile(join(workspace, "notes", "new"), "utf8")).toBe("new\n");
});
