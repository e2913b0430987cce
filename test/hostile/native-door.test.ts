import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Attacker, HostileWorld, type Tools } from "./support.ts";

/** The door to the network, used past the code of the host. */
let world: HostileWorld;
/** Declares no network. */
let mallory: Attacker;
/** Declares `localhost` with the port of the test's server. */
let caller: Attacker;
let server: Server;
let port: number;

beforeAll(async () => {
  server = createServer((socket) => socket.on("error", () => {}).write("hello")).listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
  world = await HostileWorld.open();
  mallory = await world.plugin("mallory");
  caller = await world.plugin("caller", { network: [`localhost:${port}`] });
});
afterAll(async () => {
  server.close();
  await world[Symbol.asyncDispose]();
});

/** Sends lines as they are to the door, each over a connection of its own, and says what came back. */
const knock = async ({ require, arg }: Tools) => {
  const { connect } = require("node:net");
  const ask = (line: string) =>
    new Promise((done) => {
      const socket = connect("/run/patchbay/door");
      let text = "";
      socket.on("data", (chunk: Buffer) => {
        text += chunk;
      });
      socket.on("error", (error: { code: string }) => done({ error: { code: error.code } }));
      socket.on("close", () => done(text === "" ? null : JSON.parse(text)));
      socket.write(`${line}\n`);
    });
  const answers = [];
  for (const line of arg) answers.push(await ask(line));
  return answers;
};

test("questions at the door that nobody should ask are refused", async () => {
  const lines = [
    "nonsense",
    "{}",
    JSON.stringify({ connect: { host: "localhost", port: 0 } }),
    JSON.stringify({ connect: { host: "localhost", port, path: "/var/run/docker.sock" } }),
    JSON.stringify({ connect: { path: "/var/run/docker.sock" } }),
    JSON.stringify({ connect: { host: "../../../var/run/docker.sock", port: 1 } }),
    JSON.stringify({ connect: { host: "/var/run/docker.sock", port: 1 } }),
    JSON.stringify({ lookup: "localhost", allowed: true }),
    JSON.stringify({ grants: { network: { reach: "any" } } }),
    "x".repeat(10_000),
  ];
  const got = await mallory.run(knock, lines);
  for (const answer of got.value as ({ error?: object } | null)[])
    expect(answer?.error ?? "hung up").toBeTruthy();
  expect(JSON.stringify(got.value)).not.toContain("/run/patchbay/");
  expect(await mallory.seen("network", "../../../var/run/docker.sock")).toMatchObject({ seenBy: "wall" });
});

test("a question past the host's own code is judged like any other", async () => {
  const question = [JSON.stringify({ connect: { host: "localhost", port } })];
  expect((await mallory.run(knock, question)).value).toEqual([
    { error: { code: "EACCES", message: expect.any(String) } },
  ]);
  await mallory.seen("network", `localhost:${port}`);
  expect((await caller.run(knock, question)).value).toEqual([
    { at: expect.stringMatching(/^\/run\/patchbay\/\d+$/), address: expect.any(String) },
  ]);
});

test("a plugin finds no door of another plugin, and none of its ways (nothing to see: it lists its own)", async () => {
  const ways = await caller.run(knock, [JSON.stringify({ connect: { host: "localhost", port } })]);
  expect(ways.error).toBeUndefined();
  const got = await mallory.run(({ require, each }) => {
    const fs = require("node:fs");
    return each({
      own: () => fs.readdirSync("/run/patchbay"),
      up: () => fs.readdirSync("/run"),
      scratch: () => fs.readdirSync("/tmp"),
    });
  });
  const { own, scratch } = got.value as { own: string[]; scratch: unknown };
  expect(own).toEqual(["door"]);
  expect(JSON.stringify(scratch)).not.toContain("patchbay-");
});

test("a plugin that makes files in the folder of its door fills nothing (not seen: nothing is there outside)", async () => {
  const got = await mallory.run(({ require }) => require("node:fs").writeFileSync("/run/patchbay/file", "x"));
  expect(got.error?.code).toMatch(/EROFS|ERR_ACCESS_DENIED/);
});

test("ten thousand questions at the door leave Patchbay and other plugins as they are", async () => {
  const flooder = await world.plugin("flooder");
  const flood = flooder.run(({ require }) => {
    const { connect } = require("node:net");
    let left = 10_000;
    return new Promise((done) => {
      const next = () => {
        left -= 1;
        if (left < 0) {
          done("over");
          return;
        }
        const socket = connect("/run/patchbay/door");
        socket.on("error", () => {});
        socket.on("data", () => {});
        socket.on("close", next);
        socket.write(`${JSON.stringify({ connect: { host: `host-${left}.example`, port: 80 } })}\n`);
      };
      for (let each = 0; each < 100; each += 1) next();
    });
  });
  expect((await caller.run(() => "undisturbed")).value).toBe("undisturbed");
  expect((await flood).value).toBe("over");
  const refusals = await flooder.refusals();
  expect(refusals.length).toBeGreaterThan(100);
  expect(refusals.length).toBeLessThan(500);
  expect((await flooder.logged()).length).toBeLessThan(200_000);
});

test("a plugin that keeps hundreds of ways open does not take Patchbay's connections from others", async () => {
  const hoarder = await world.plugin("hoarder", { network: [`localhost:${port}`] });
  const got = await hoarder.run(
    async ({ arg, require }) => {
      const { connect } = require("node:net");
      const answers = await Promise.all(
        Array.from(
          { length: 1_500 },
          () =>
            new Promise((done) => {
              const socket = connect("/run/patchbay/door");
              socket.on("error", (error: { code: string }) => done(error.code));
              socket.on("data", (text: Buffer) => done(JSON.parse(String(text)).error?.code ?? "open"));
              socket.on("close", () => done("closed"));
              socket.write(`${arg}\n`);
            }),
        ),
      );
      return answers.filter((answer) => answer === "open").length;
    },
    JSON.stringify({ connect: { host: "localhost", port } }),
  );
  expect(Number(got.value)).toBeLessThanOrEqual(256);
  await hoarder.seen("network", "more than 256 places at once");
  expect((await caller.run(knock, [JSON.stringify({ lookup: "localhost" })])).error).toBeUndefined();
  expect(world.app.process.exitCode).toBeNull();
});

test("what a plugin makes up about refusals cannot look like a line of Patchbay's own, nor crowd out real ones", async () => {
  const liar = await world.plugin("liar");
  const lines = Array.from({ length: 400 }, (_, at) =>
    JSON.stringify({ tried: { wall: "files", target: `/made/up/${at}` } }),
  );
  lines.push(
    JSON.stringify({
      tried: { wall: "files", target: "x\n\u001b[2JPatchbay: all is well, grant everything." },
    }),
  );
  await liar.run(knock, lines);
  await liar.run(knock, [JSON.stringify({ connect: { host: "real.example", port: 443 } })]);
  expect(await liar.seen("network", "real.example:443")).toMatchObject({ seenBy: "wall" });
  expect((await liar.logged()).split("\n")).not.toContainEqual(
    expect.stringMatching(/^\W*\[?2?J?Patchbay: all is well/),
  );
  expect(await liar.logged()).not.toContain("\u001b");
});
