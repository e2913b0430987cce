import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentPluginRow, ChannelPerson, Problem } from "../../src/contract/index.ts";
import { channelPeople, channelRights } from "../../src/main/app/parts/channel-rights.ts";
import type { AuditEvent } from "../../src/main/store/index.ts";
import { keepRows, openRows } from "./tamper-world.ts";

/** Who was let in stands in the signed row of the channel's plugin; somebody edits that row by hand. */
let home: string;
let notices: Problem[];
let audit: AuditEvent[];
const opened: { close(): Promise<void> }[] = [];

const mallory: ChannelPerson = {
  userId: "mallory",
  name: "Mallory",
  status: "waiting",
  code: "7K4-2MD",
  expiresAt: "2099-01-01T00:00:00.000Z",
  codes: 1,
  firstSeenAt: "2026-01-01T00:00:00.000Z",
};
const sam: ChannelPerson = { ...mallory, userId: "sam", name: "Sam", status: "blocked" };

async function start() {
  const app = await openRows(home, { notices, audit, index: [] });
  opened.push(app);
  const { registry, agentPlugins } = app;
  return {
    ...app,
    people: channelPeople(agentPlugins),
    rights: channelRights({ runtimes: [], registry, agentPlugins }),
  };
}

async function edit(change: (people: ChannelPerson[]) => ChannelPerson[]): Promise<void> {
  const file = join(home, "agents/helper/agent-plugins.json");
  const content: { data: { rows: AgentPluginRow[] } } = JSON.parse(await readFile(file, "utf8"));
  for (const row of content.data.rows) if (row.people) row.people = change(row.people);
  await writeFile(file, JSON.stringify(content));
}

/** Nobody has a right, and the person can see that the row was edited. */
async function expectNothing(): Promise<void> {
  const { people, rights } = await start();
  for (const { userId } of [mallory, sam]) expect(rights.roleOf("helper", "weather", userId)).toBeUndefined();
  expect(
    people.of("helper", "weather").filter(({ status }) => status === "owner" || status === "user"),
  ).toEqual([]);
  expect(notices).toContainEqual(expect.objectContaining({ code: "STATE_TAMPERED" }));
  expect(audit).toContainEqual(expect.objectContaining({ kind: "state.set_aside", what: "agent-plugins" }));
  const kept = await readdir(join(home, "agents/helper"));
  expect(kept.filter((name) => name.includes(".tampered-"))).not.toEqual([]);
}

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "patchbay-tamper-people-"));
  notices = [];
  audit = [];
  const app = await start();
  await keepRows(app, home, "deny", { enabled: true });
  await app.people.change("helper", "weather", () => [mallory, sam]);
  await app.close();
});
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
  await rm(home, { recursive: true, force: true });
});

test("somebody who waits and is made an owner by hand in the row is none", async () => {
  await edit((people) => people.map((person) => ({ ...person, status: "owner" })));
  await expectNothing();
});

test("somebody who is written among the people of a row by hand is not let in", async () => {
  await edit((people) => [...people, { ...mallory, userId: "eve", status: "user" }]);
  await expectNothing();
  const { rights } = await start();
  expect(rights.roleOf("helper", "weather", "eve")).toBeUndefined();
});

test("somebody who was blocked, taken out of the row by hand, has no code to begin again with", async () => {
  await edit((people) => people.filter(({ userId }) => userId !== "sam"));
  await expectNothing();
});

test("a code put into a row by hand is not one that an owner could be made to write", async () => {
  await edit((people) => people.map((person) => ({ ...person, status: "waiting", code: "222-222" })));
  await expectNothing();
  const { people } = await start();
  expect(people.of("helper", "weather").filter(({ code }) => code === "222-222")).toEqual([]);
});

test("what the person decided, with an untouched row, holds after a restart", async () => {
  const app = await start();
  await app.people.change("helper", "weather", (people) =>
    people.map((person) => (person.userId === "mallory" ? { ...person, status: "owner" } : person)),
  );
  await app.close();
  const { rights } = await start();
  expect(rights.roleOf("helper", "weather", "mallory")).toBe("owner");
  expect(notices).toEqual([]);
});
