import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LocalRegistry } from "../../../../test/mcp/servers/registry.ts";
import { FakeClock } from "../../../../test/support/fake-clock.ts";
import { McpRegistry } from "./registry.ts";

const hour = 60 * 60_000;
const listed = (name: string) => ({
  server: {
    name: `com.acme/${name}`,
    description: name,
    version: "1",
    remotes: [{ type: "sse", url: "https://x.test" }],
  },
});

let dir: string;
let server: LocalRegistry;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "patchbay-registry-"));
  server = await LocalRegistry.open(["a", "b", "c"].map(listed));
});
afterAll(async () => {
  await server.close();
  await rm(dir, { recursive: true, force: true });
});

const names = ({ entries }: { entries: readonly { server: { name: string } }[] }) =>
  entries.map((entry) => entry.server.name);

test("in an outage its last list is used, with its age and the reason, and it is left alone for a while", async () => {
  const clock = new FakeClock();
  const options = { address: () => server.url, file: join(dir, "copy.json"), clock };
  const registry = new McpRegistry(options);
  const first = await registry.list();
  expect(names(first)).toEqual(["com.acme/a", "com.acme/b", "com.acme/c"]);
  expect(first).toMatchObject({ problem: null, askedAt: new Date(clock.now()).toISOString() });
  expect((await registry.list()).entries).toBe(first.entries);

  server.answer = () => ({ status: 503, body: "" });
  clock.advance(hour + 1);
  expect(names(await registry.list())).toEqual(names(first));
  await expect.poll(async () => (await registry.list()).problem?.code).toBe("REGISTRY_REFUSED");
  const { length } = server.asked;
  const again = await registry.list();
  expect(again).toMatchObject({ askedAt: first.askedAt, problem: { code: "REGISTRY_REFUSED" } });
  expect(names(again)).toEqual(names(first));
  expect(server.asked.length).toBe(length);

  // Another start reads what lies on the disk.
  expect(names(await new McpRegistry(options).list())).toEqual(names(first));
  server.answer = undefined;
});

test("one that never answered is waited for once, and not at each look", async () => {
  const clock = new FakeClock();
  server.answer = () => ({ status: 200, body: "no JSON" });
  const registry = new McpRegistry({ address: () => server.url, file: join(dir, "none.json"), clock });
  expect(await registry.list()).toMatchObject({
    entries: [],
    askedAt: null,
    problem: { code: "REGISTRY_REFUSED" },
  });
  const { length } = server.asked;
  expect(await registry.list()).toMatchObject({ problem: { code: "REGISTRY_REFUSED" } });
  expect(server.asked.length).toBe(length);
  server.answer = undefined;
  clock.advance(60_001);
  expect(names(await registry.list())).toHaveLength(3);
});

test("one that gives the same place again and again is not followed for ever", async () => {
  server.answer = () => ({
    status: 200,
    body: JSON.stringify({ servers: [listed("loop")], metadata: { nextCursor: "same" } }),
  });
  const registry = new McpRegistry({
    address: () => server.url,
    file: join(dir, "loop.json"),
    clock: new FakeClock(),
  });
  const { length } = server.asked;
  expect(names(await registry.list())).toEqual(["com.acme/loop"]);
  expect(server.asked.length - length).toBe(2);
  server.answer = undefined;
});

test("a list that is fetched for the first time is not waited for where that is not wanted, and says how far it is", async () => {
  const registry = new McpRegistry({
    address: () => server.url,
    file: join(dir, "first.json"),
    clock: new FakeClock(),
  });
  const said: unknown[] = [];
  registry.changes.on("list", () => said.push(registry.known()));
  expect(await registry.list(false)).toMatchObject({ entries: [], askedAt: null, problem: null });
  expect(registry.known()).toEqual({ listedAt: null, failedAt: null, reading: 0 });
  expect(names(await registry.list())).toHaveLength(3);
  expect(said.at(0)).toEqual({ listedAt: null, failedAt: null, reading: 0 });
  // It is used before it is on the disk, and said to be read when it is.
  await expect
    .poll(() => said.at(-1))
    .toEqual({ listedAt: expect.any(String), failedAt: null, reading: null });
});

test("one whose pages have no end is refused, and nothing of it is kept", async () => {
  let page = 0;
  server.answer = () => {
    page += 1;
    const metadata = { nextCursor: String(page) };
    return { status: 200, body: JSON.stringify({ servers: [listed(`s${page}`)], metadata }) };
  };
  const registry = new McpRegistry({
    address: () => server.url,
    file: join(dir, "endless.json"),
    clock: new FakeClock(),
  });
  expect(await registry.list()).toMatchObject({
    entries: [],
    problem: { code: "REGISTRY_REFUSED", message: expect.stringMatching(/lists without an end/) },
  });
  server.answer = undefined;
});

test("an answer that is too large is refused", async () => {
  server.answer = () => ({ status: 200, body: JSON.stringify({ servers: ["x".repeat(9 * 1024 * 1024)] }) });
  const registry = new McpRegistry({
    address: () => server.url,
    file: join(dir, "huge.json"),
    clock: new FakeClock(),
  });
  expect(await registry.list()).toMatchObject({
    problem: { code: "REGISTRY_REFUSED", message: expect.stringMatching(/more than Patchbay accepts/) },
  });
  server.answer = undefined;
});

test("one that answers another version than was asked for, or another content than it listed, is refused", async () => {
  const registry = new McpRegistry({
    address: () => server.url,
    file: join(dir, "lies.json"),
    clock: new FakeClock(),
  });
  await registry.list();
  const answers = (more: object) => {
    server.answer = () => ({
      status: 200,
      body: JSON.stringify({ server: { ...listed("a").server, ...more } }),
    });
  };
  answers({ version: "2" });
  await expect(registry.entry("com.acme/a", "1")).rejects.toMatchObject({
    code: "REGISTRY_REFUSED",
    message: expect.stringMatching(/asked for version 1 of com\.acme\/a and answered with 2/),
  });
  answers({ remotes: [{ type: "sse", url: "https://evil.test" }] });
  await expect(registry.entry("com.acme/a", "1")).rejects.toMatchObject({
    code: "REGISTRY_REFUSED",
    message: expect.stringMatching(/something else than what it answers now/),
  });
  answers({});
  await expect(registry.entry("com.acme/a", "1")).resolves.toMatchObject({ server: { version: "1" } });
  server.answer = undefined;
});
