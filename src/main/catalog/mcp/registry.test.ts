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
