import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { startApp } from "../support/running-app.ts";
import { type Bench, openBench } from "./support.ts";

let bench: Bench;
let workspace: string;
const run = (...args: string[]) => bench.patchbay(args, { cwd: bench.folder });
const session = (...args: string[]) => run("agent", "session", ...args);

beforeAll(async () => {
  bench = await openBench();
  workspace = join(bench.folder, "work");
  await mkdir(workspace);
  await writeFile(join(workspace, "script.json"), JSON.stringify([{ say: "At nine." }, { say: "Read." }]));
  const model = `scripted:${join(workspace, "script.json")}`;
  await run("agent", "create", "Alpha", "--workspace", workspace, "--model", model);
});
afterAll(() => bench.remove());

it("conversations are listed, named, pinned, shown, exported and removed, by the beginning of their id", async () => {
  const begun = await run("agent", "prompt", "alpha", "When does the harbour open?", "--json");
  const { sessionId } = begun.json<{ sessionId: string }>();
  const id = sessionId.slice(0, 10);
  expect((await session("list", "alpha", "at NINE")).stdout).toContain("When does the harbour open?");
  expect((await session("list", "alpha", "at ten")).stdout).toContain("No conversation.");
  expect((await session("pin", "alpha", id)).stdout).toContain("When does the harbour open? is pinned.");
  expect((await session("rename", "alpha", id, "Harbour hours")).code).toBe(0);
  expect((await session("list", "alpha")).stdout).toContain("* Harbour hours");
  expect((await session("show", "alpha", id)).stdout).toMatch(/^# Harbour hours\n[\s\S]*At nine\.$/m);

  const exported = await session("export", "alpha", id);
  expect(exported.stdout).toContain("Harbour hours.md is written.");
  expect(await readFile(join(bench.folder, "Harbour hours.md"), "utf8")).toContain("At nine.");
  const again = await session("export", "alpha", id, "--json");
  expect(again.json()).toMatchObject({ error: { code: "WRITE_FAILED" } });
  await session("export", "alpha", id, "all.json", "--format", "json");
  const read = JSON.parse(await readFile(join(bench.folder, "all.json"), "utf8"));
  expect(read).toMatchObject({
    version: 1,
    session: { id: sessionId, title: "Harbour hours", pinned: true },
  });

  expect((await session("show", "alpha", "nothing", "--json")).json()).toMatchObject({
    error: { code: "SESSION_NOT_FOUND" },
  });
  expect((await session("remove", "alpha", id, "--yes")).stdout).toContain("Harbour hours is removed.");
  expect((await session("list", "alpha")).stdout).toContain("No conversation.");
  expect((await run("removed", "list")).stdout).toContain("Harbour hours");
});

it("files go with a message, long ones in pieces, also to a running app", async () => {
  const app = await startApp(bench.home);
  onTestFinished(() => app.close());
  await writeFile(join(bench.folder, "long.csv"), Buffer.alloc(9 * 1024 * 1024, 65));
  await writeFile(join(bench.folder, "note.txt"), "remember");
  const sent = await run(
    "agent",
    "prompt",
    "alpha",
    "Read these",
    "--attach",
    "long.csv",
    "note.txt",
    "--json",
  );
  expect(sent.code).toBe(0);
  const { sessionId } = sent.json<{ sessionId: string }>();
  expect((await readFile(join(workspace, "attachments", "long.csv"))).length).toBe(9 * 1024 * 1024);
  expect(await readFile(join(workspace, "attachments", "note.txt"), "utf8")).toBe("remember");
  expect((await session("show", "alpha", sessionId)).stdout).toContain("- Attached: long.csv (text/csv)");
  const gone = await run("agent", "prompt", "alpha", "Read", "--attach", "gone.txt", "--json");
  expect(gone.json()).toMatchObject({ error: { code: "READ_FAILED" } });
});
