import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Agent } from "../../contract/index.ts";
import { Holds } from "../holds/holds.ts";
import { openFileStorage } from "../store/index.ts";
import { HeldPlugins } from "./held-plugins.ts";

let folder: string;
let holds: Holds;
/** What was done, in its order: lines of the audit log, and agents whose plugins were started or stopped. */
let done: unknown[];
let held: HeldPlugins;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-held-"));
  const onNotice = () => {};
  const storage = openFileStorage({ home: folder, onNotice });
  holds = new Holds({ storage, onNotice, switchedOn: () => ["guard", "mail"] });
  done = [];
  const agents = [{ id: "ada" }, { id: "bob" }] as Agent[];
  held = new HeldPlugins({
    holds,
    agents: { list: () => agents, get: (id) => agents.find((agent) => agent.id === id) },
    owner: { settleAgent: async (id) => void done.push(`${id}, ${holds.of(id, "mail")?.kind ?? "free"}`) },
    audit: { record: async (...events) => void done.push(...events) },
  });
});
afterEach(async () => {
  await holds.close();
  await rm(folder, { recursive: true, force: true });
});

test("safe mode stops and starts the plugins of all agents once it is on or off", async () => {
  expect(await held.enterSafeMode()).toMatchObject({ safeMode: { reason: "asked" } });
  expect(await held.leaveSafeMode()).toMatchObject({ safeMode: null });
  expect(done).toEqual([
    { kind: "safe_mode.entered" },
    "ada, safe_mode",
    "bob, safe_mode",
    { kind: "safe_mode.left" },
    "ada, free",
    "bob, free",
  ]);
});

test("a search stops and starts the plugins of its agent alone", async () => {
  const { step } = await held.beginSearch("bob");
  await held.answerSearch("bob", step, true);
  await held.endSearch("bob");
  expect(done.filter((entry) => typeof entry === "string" && entry.startsWith("ada"))).toEqual([]);
  expect(done.filter((entry) => typeof entry === "object")).toEqual([
    { kind: "search.begun", agentId: "bob" },
    { kind: "search.ended", agentId: "bob" },
  ]);
  expect(done.at(-1)).toBe("bob, free");
  await expect(held.beginSearch("eva")).rejects.toMatchObject({ code: "AGENT_NOT_FOUND" });
});
