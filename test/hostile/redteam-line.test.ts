import { afterAll, beforeAll, expect, test } from "vitest";
import { type Attacker, HostileWorld, type Outcome, type Tools } from "./support.ts";

/** The line between a plugin's process and the core: file descriptor 3, on which the plugin can write past our code. */
let world: HostileWorld;
let other: Attacker;

beforeAll(async () => {
  world = await HostileWorld.open();
  other = await world.plugin("other");
});
afterAll(() => world[Symbol.asyncDispose]());

/** The core lives, and other plugins answer. */
async function expectAllWell(): Promise<void> {
  expect(await other.run(() => "well")).toEqual({ value: "well" });
  expect([world.app.process.exitCode, world.app.process.signalCode]).toEqual([null, null]);
}

const lines: [what: string, attack: (tools: Tools) => Outcome | undefined][] = [
  [
    "text that is no JSON",
    ({ require }) => {
      require("node:fs").writeSync(3, "garbage\n{\n\u0000\n");
      return undefined;
    },
  ],
  [
    "bytes that are no text",
    ({ require }) => {
      require("node:fs").writeSync(3, Buffer.from([0xff, 0xfe, 0xc0, 0x80, 10]));
      return undefined;
    },
  ],
  [
    "commands of Node's own channel",
    ({ require }) => {
      const commands = [
        "null",
        '{"cmd":"NODE_HANDLE","type":"net.Server","msg":"x"}',
        '{"cmd":"NODE_HANDLE","type":"nonsense"}',
        '{"cmd":"NODE_SOCKET_NOTIFY_CLOSE","key":"x"}',
        '{"cmd":"NODE_SOCKET_GET_COUNT","key":"x"}',
        '{"cmd":"NODE_HANDLE_ACK"}',
        '{"cmd":"NODE_HANDLE_NACK"}',
        '{"cmd":"NODE_CLUSTER","act":"x"}',
      ];
      require("node:fs").writeSync(3, `${commands.join("\n")}\n`);
      return undefined;
    },
  ],
];

test.each(lines)("a plugin that writes %s on its line does not take the core down", async (what, attack) => {
  const mallory = await world.plugin(what.replaceAll(/[^a-z]+/gi, "").toLowerCase());
  await mallory.run(attack);
  await expect.poll(() => mallory.logged()).toContain("sent a message that Patchbay does not know");
  await expectAllWell();
});

test("a line that never ends does not fill the memory of the core", async () => {
  const endless = await world.plugin("endless");
  await endless.run(({ require }) => {
    const { writeSync } = require("node:fs");
    const piece = Buffer.alloc(1024 * 1024, "x");
    const write = (bytes: Buffer) => {
      for (let at = 0; at < bytes.length; ) {
        try {
          at += writeSync(3, bytes, at);
        } catch (error) {
          if ((error as { code?: string }).code !== "EAGAIN") throw error;
        }
      }
    };
    for (let megabytes = 0; megabytes < 70; megabytes += 1) write(piece);
    write(Buffer.from("\n"));
  });
  await expect.poll(() => endless.logged()).toContain("sent a message that Patchbay does not know");
  await expectAllWell();
});

test("a plugin that asks for ever and never reads the answers is ended", async () => {
  const deaf = await world.plugin("deaf");
  // Nobody waits for this call: its process is ended before it answers.
  const running = deaf.run(({ require }) => {
    const { writeSync } = require("node:fs");
    const big = "y".repeat(200_000);
    const say = (request: object, id: number) => {
      const bytes = Buffer.from(`${JSON.stringify({ t: "request", id, during: null, request })}\n`);
      for (let at = 0; at < bytes.length; ) {
        try {
          at += writeSync(3, bytes, at);
        } catch (error) {
          if ((error as { code?: string }).code !== "EAGAIN") throw error;
        }
      }
    };
    say({ kind: "storage.set", key: "big", value: big }, 900_000);
    for (let id = 900_001; ; id += 1) {
      say({ kind: "storage.get", key: "big" }, id);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  });
  await expect.poll(() => deaf.logged(), { timeout: 20_000 }).toContain("it does not read what it is sent");
  await running;
  await expectAllWell();
});

test("names of an object's insides in a message reach no object of the core", async () => {
  const polluter = await world.plugin("polluter");
  await polluter.run(({ require }) => {
    const patch = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"x":1}';
    const told = [
      `{"t":"runtimeState","patch":${patch}}`,
      `{"t":"contributions","changed":${patch}}`,
      `{"t":"log","level":"info","text":"x","__proto__":{"isAdmin":true}}`,
      `{"t":"request","id":1,"during":null,"request":{"kind":"storage.set","key":"a","value":${patch}}}`,
    ];
    require("node:fs").writeSync(3, `${told.join("\n")}\n`);
  });
  const state = JSON.stringify((await polluter.view()) as object);
  expect(state).not.toContain("isAdmin\\");
  const all = JSON.stringify(await world.app.rest("GET", "/agents"));
  expect(all).not.toContain("isAdmin");
  expect(JSON.stringify(await other.view())).not.toContain("isAdmin");
  await expectAllWell();
});
