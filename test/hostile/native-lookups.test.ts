import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { NetworkDoor } from "../../src/main/platform/walls/network/door.ts";
import type { Attempt, NetworkJudge } from "../../src/main/platform/walls/wall.ts";

const all: NetworkJudge = {
  decide: async ({ addresses }) => {
    await addresses();
    return { allowed: true };
  },
};

/** A door whose names are answered by a server that answers when the test says so. */
function doorWith(judge: NetworkJudge = all) {
  const asked: { host: string; answer(): void }[] = [];
  const refused: Attempt[] = [];
  const slow = (host: string) =>
    new Promise<{ address: string }[]>((resolve) => {
      asked.push({ host, answer: () => resolve([{ address: "127.0.0.1" }]) });
    });
  const door = new NetworkDoor(
    null,
    judge,
    (attempt) => void refused.push(attempt),
    undefined,
    undefined,
    slow,
  );
  return { door, asked, refused };
}

const { signal } = new AbortController();
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function listening() {
  const server = createServer((socket) => socket.on("error", () => {})).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

test("a plugin that asks for hundreds of slow names has two of the core's threads, and the rest is refused and seen", async () => {
  const { door, asked, refused } = doorWith();
  const tries = Array.from({ length: 200 }, (_, at) =>
    door.reach(`slow${at}.example`, 443, signal).catch((error: { code?: string }) => error.code),
  );
  await settled();
  expect(asked).toHaveLength(2);
  expect(refused).toHaveLength(200 - 64);
  expect(refused[0]).toMatchObject({ wall: "network", target: "more than 64 names at once", seenBy: "wall" });
  door.close();
  for (const { answer } of asked) answer();
  const codes = await Promise.all(tries);
  expect(codes.filter((code) => code === "EAI_AGAIN")).toHaveLength(200 - 64);
  expect(asked).toHaveLength(2);
});

test("slow names of one plugin do not keep another from the network, and all together leave the core a thread", async () => {
  const server = await listening();
  const [one, two, three] = [doorWith(), doorWith(), doorWith()];
  const held = [0, 1, 2].map((at) => one.door.reach(`a${at}.example`, 9, signal).catch(() => {}));
  await settled();
  expect(one.asked).toHaveLength(2);
  const reached = two.door.reach("honest.example", server.port, signal);
  await settled();
  expect(two.asked.map(({ host }) => host)).toEqual(["honest.example"]);
  const third = three.door.reach("third.example", server.port, signal);
  await settled();
  expect(three.asked).toEqual([]);
  two.asked[0]?.answer();
  (await reached).destroy();
  await settled();
  // Its turn has come, although the first plugin still waits for its names.
  expect(three.asked.map(({ host }) => host)).toEqual(["third.example"]);
  three.asked[0]?.answer();
  (await third).destroy();
  for (const { door } of [one, two, three]) door.close();
  for (const { answer } of one.asked) answer();
  await Promise.all(held);
  server.close();
});

test("a process that ended waits for no name any more", async () => {
  const { door, asked } = doorWith();
  const tries = Array.from({ length: 10 }, (_, at) =>
    door.reach(`gone${at}.example`, 443, signal).catch(() => "ended"),
  );
  await settled();
  door.close();
  for (const { answer } of asked) answer();
  expect(new Set(await Promise.all(tries))).toEqual(new Set(["ended"]));
  expect(asked).toHaveLength(2);
});

test("hundreds of connections to one name ask for it once, and none is refused", async () => {
  const server = await listening();
  const { door, asked, refused } = doorWith();
  const tries = Array.from({ length: 200 }, () => door.reach("busy.example", server.port, signal));
  await settled();
  expect(asked).toHaveLength(1);
  asked[0]?.answer();
  for (const socket of await Promise.all(tries)) socket.destroy();
  expect(refused).toEqual([]);
  door.close();
  server.close();
});
