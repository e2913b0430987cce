import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Bench, openBench } from "../cli/support.ts";
import { Browser } from "../support/identity-provider.ts";
import { SignedInServer } from "./servers/signed-in.ts";

let bench: Bench;
let server: SignedInServer;

beforeEach(async () => {
  bench = await openBench();
  server = await SignedInServer.open();
});
afterEach(async () => {
  await bench.remove();
  await server.close();
});

test("a server is signed in to from the terminal, which says who signs in where and prints the page", async () => {
  const installed = await bench.patchbay(["plugin", "install", `mcp:${server.url}`, "--yes"]);
  expect(`${installed.code} ${installed.stderr}`).toMatch(/^0 /);
  const { host } = new URL(server.origin);
  const key = host.replace(/[.:]/g, "-");
  const args = ["plugin", "setup", key, "--agent", "helper", "--set", "choice=go"];
  const child = spawn(process.execPath, [resolve("bin/patchbay"), ...args], {
    env: { ...process.env, NO_COLOR: "1", PATCHBAY_HOME: bench.home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  let shown = "";
  const page = Promise.withResolvers<string>();
  child.stderr.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
    const [, address] = /Sign in at: (\S+)\n/.exec(shown) ?? [];
    if (address !== undefined) page.resolve(address);
  });
  void exited.then(() => page.reject(new Error(shown)));
  await new Browser().allow(await page.promise);
  expect(await exited).toEqual([0, null]);
  expect(shown).toContain(`${host} has ${host} sign people in.`);
  expect(shown).toContain("It asks for these rights: tickets:read.");
  const called = await bench.patchbay([
    ...["tool", "call", `${key}__list_tickets`, "--agent", "helper", "--yes"],
  ]);
  expect(called.stdout).toContain("two tickets");
  for (const token of server.tokens) expect(shown).not.toContain(token);
});
