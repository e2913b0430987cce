import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publicJudge } from "../../src/main/platform/walls/network/public-judge.ts";
import { ProgramsWorld } from "./programs-world.ts";

/** Names that were granted for one thing and lead to another. */
let world: ProgramsWorld;
let servers: Server[];
let heard = 0;

beforeAll(async () => {
  world = await ProgramsWorld.open();
  servers = [createServer(), createServer()];
  for (const server of servers) {
    server.on("connection", (socket) => {
      heard += 1;
      socket.on("error", () => {}).end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  }
});
afterAll(async () => {
  for (const server of servers) server.close();
  await world[Symbol.asyncDispose]();
});

test("a registry on this computer opens its own port to installation scripts, and no other", async () => {
  const [registry, neighbour] = servers.map((server) => (server.address() as { port: number }).port);
  const judge = publicJudge([new URL(`http://127.0.0.1:${registry}/`)]);
  const ask = (port: number | undefined) => world.run(`curl -s -m 3 http://127.0.0.1:${port}/`, { judge });
  expect((await ask(registry)).text).toBe("hi");
  const before = heard;
  const { text, refused } = await ask(neighbour);
  expect(text).toContain("nobody allowed");
  expect(heard).toBe(before);
  expect(refused).toContainEqual({ wall: "network", target: `127.0.0.1:${neighbour}`, seenBy: "wall" });
});

test.each([
  ["a file that is no program", (key: string) => key],
  ["a path that climbs out of the search path", (key: string) => `../../..${key}`],
  ["a script that says it is run by a file", (_key: string, script: string) => script],
])("the name of a program that is %s shows no such file", async (_what, nameOf) => {
  const folder = join(world.root, "person");
  const [key, script] = [join(folder, "id_ed25519"), join(folder, "tool")];
  await mkdir(folder, { recursive: true });
  await writeFile(key, "the-key", { mode: 0o600 });
  await writeFile(script, `#!${key}\n`);
  await chmod(script, 0o755);
  const grants = { programs: { reach: "named" as const, names: ["bash", "cat", nameOf(key, script)] } };
  const { text } = await world.run(`cat ${key} ${script} || echo gone`, { grants });
  expect(text).not.toContain("the-key");
  expect(text).toContain("No such file");
});
