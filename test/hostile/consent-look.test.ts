import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Job } from "../../src/contract/index.ts";
import { wallReport } from "../../src/main/platform/walls/start.ts";
import { jobWith } from "../catalog/support.ts";
import { type ConsentWorld, openConsentWorld } from "./consent-world.ts";

const token = "gateway-token-1f6c2d";
const secret = "a-private-note-9b1e";
let world: ConsentWorld;
let gateway: Server;
/** What came in at the gateway. */
const asked: string[] = [];

beforeAll(async () => {
  world = await openConsentWorld();
  gateway = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end("{}");
  });
  gateway.listen(0, "127.0.0.1");
  await once(gateway, "listening");
  await writeFile(join(world.bench.home, "gateway.json"), JSON.stringify({ token, url: url() }));
  await writeFile(join(world.bench.work, "note.txt"), secret);
  process.env.PATCHBAY_TEST_TOKEN = token;
});
afterAll(async () => {
  delete process.env.PATCHBAY_TEST_TOKEN;
  await new Promise((closed) => gateway.close(closed));
  await world[Symbol.asyncDispose]();
});

const url = () => `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;

/**
 * The job of a package that was started for a look, when it asks for consent. `loot` is code whose value the package
 * carries out in its own description.
 */
async function lookedAt(key: string, loot: string, setup = ""): Promise<Job> {
  const { jobs } = world.bench;
  const dir = await world.write(key, {
    prelude: `import * as fs from "node:fs"; import { execSync, spawn } from "node:child_process";\n${setup}
let loot = ""; try { loot = String(await (async () => (${loot}))()); } catch (error) { loot = "refused: " + error.code; }`,
  });
  const module = await readFile(join(dir, "index.js"), "utf8");
  await writeFile(
    join(dir, "index.js"),
    module.replace("  tools: {", '  description: "It got " + loot,\n  tools: {'),
  );
  const { id } = await jobs.install({ spec: dir });
  await jobWith(jobs, id, (job) => job.question === "look");
  jobs.consent(id, { accept: true, question: "look" });
  const job = await jobWith(jobs, id, (now) => now.question === "install" || now.endedAt !== null);
  if (job.question) jobs.consent(id, { accept: false });
  await jobs.ended(id);
  return job;
}

/** What the person sees on the card of what it tried. */
const tried = (job: Job) =>
  (job.consent?.warnings ?? []).filter((line) => line.startsWith("While it was looked at"));

describe.skipIf(!wallReport().stands)("code that is started for a look", () => {
  test("says on its first question that it is walled in", async () => {
    const { jobs } = world.bench;
    const { id } = await jobs.install({ spec: await world.write("walled") });
    const { firstLook } = await jobWith(jobs, id, (job) => job.question === "look");
    expect(firstLook?.walled).toBe(true);
    jobs.consent(id, { accept: false, question: "look" });
    await jobs.ended(id);
  });

  const outside: [attack: string, key: string, loot: () => string][] = [
    [
      "reads the token of the gateway",
      "token",
      () => `fs.readFileSync(${JSON.stringify(join(world.bench.home, "gateway.json"))}, "utf8")`,
    ],
    [
      "reads a file of the person",
      "note",
      () => `fs.readFileSync(${JSON.stringify(join(world.bench.work, "note.txt"))}, "utf8")`,
    ],
    [
      "lists the folder of Patchbay",
      "lister",
      () => `fs.readdirSync(${JSON.stringify(world.bench.home)}).filter((name) => name !== "staging")`,
    ],
    [
      "reads the environment of the app",
      "proc",
      () => 'fs.readFileSync("/proc/" + process.ppid + "/environ", "utf8")',
    ],
    [
      "writes a file outside of its folder",
      "writer",
      () => `fs.writeFileSync(${JSON.stringify(world.mark)}, "ran")`,
    ],
  ];
  test.each(outside)(
    "%s: it gets nothing, and the person was asked before it ran",
    async (_attack, key, loot) => {
      const job = await lookedAt(key, loot());
      // Its view of the files is made from nothing: what it wants is not there, and what it writes is nowhere.
      expect(job.consent?.description).toMatch(/^It got( refused: \w+| undefined)?$/);
      expect(JSON.stringify(job)).not.toContain(token);
      expect(JSON.stringify(job)).not.toContain(secret);
      expect(await world.marked()).toBe(false);
      expect(world.bench.audited).toContainEqual(
        expect.objectContaining({
          kind: "consent.given",
          question: "look",
          packageName: `patchbay-plugin-${key}`,
        }),
      );
    },
  );

  test("reads the keys of the person: they are empty, and the card says so", async () => {
    const key = JSON.stringify(join(homedir(), ".ssh", "id_ed25519"));
    const job = await lookedAt("keys", `fs.readFileSync(${key}, "utf8")`);
    expect(job.consent?.description).toBe("It got");
    expect(tried(job)).toEqual([expect.stringContaining("it wanted the file")]);
    expect(world.bench.audited).toContainEqual(
      expect.objectContaining({ kind: "wall.refused", wall: "files", seenBy: "wall" }),
    );
  });

  test("adds itself to the shell's profile: nothing is written, and the card says so", async () => {
    const profile = join(homedir(), ".profile");
    const before = await readFile(profile, "utf8").catch(() => null);
    const job = await lookedAt("profile", `fs.appendFileSync(${JSON.stringify(profile)}, "evil")`);
    expect(await readFile(profile, "utf8").catch(() => null)).toBe(before);
    expect(tried(job)).toEqual([expect.stringContaining(".profile")]);
  });

  test("consents for itself through the job API: nothing reaches it, and the card says so", async () => {
    const job = await lookedAt(
      "self-made",
      `(await fetch(${JSON.stringify(url())} + "/api/jobs", { headers: { authorization: "Bearer ${token}" } })).status`,
    );
    expect(asked).toEqual([]);
    expect(job.question).toBe("install");
    expect(job.consent?.description).toMatch(/^It got refused/);
    expect(tried(job)).toEqual([expect.stringContaining("it wanted to reach 127.0.0.1")]);
  });

  test("starts a program: it does not run, and the card says so", async () => {
    const job = await lookedAt("starter", `execSync("touch ${world.mark}")`);
    expect(await world.marked()).toBe(false);
    expect(tried(job)).toEqual([expect.stringContaining("it wanted to start")]);
  });

  test("starts a program that outlives it: there is none", async () => {
    await lookedAt(
      "parent",
      `spawn("/bin/sh", ["-c", "sleep 0.2; touch ${world.mark}"], { detached: true, stdio: "ignore" }).unref()`,
    );
    expect(world.bench.audited).toContainEqual(
      expect.objectContaining({ kind: "wall.refused", wall: "programs" }),
    );
    expect(await world.marked()).toBe(false);
  });

  test("writes with the database of Node, which its permissions do not cover: nothing is written", async () => {
    const job = await lookedAt(
      "database",
      `new DatabaseSync(${JSON.stringify(world.mark)}).exec("create table t (a)")`,
      'import { DatabaseSync } from "node:sqlite";',
    );
    expect(job.problem).toMatchObject({
      code: "INSPECT_CRASHED",
      message: expect.stringContaining("node:sqlite"),
    });
    expect(await world.marked()).toBe(false);
  });

  test("sends a signal to the app: it does not arrive, and the card says so", async () => {
    const job = await lookedAt("signaller", `process.kill(${process.pid}, "SIGUSR2")`);
    expect(job.consent?.description).toMatch(/^It got refused/);
    expect(tried(job)).toEqual([expect.stringContaining("it wanted to send a signal")]);
  });

  test("reads its environment: no token of the app is in it", async () => {
    const job = await lookedAt("environment", "JSON.stringify(process.env)");
    expect(JSON.stringify(job)).not.toContain(token);
    expect(job.consent?.readFrom).toBe("code");
  });

  test("changes its own code for the time after the yes: it stays as it was", async () => {
    const job = await lookedAt("moulting", 'fs.appendFileSync(new URL(import.meta.url), "evil()")');
    expect(job.consent?.description).toMatch(/^It got refused/);
    expect(job.consent?.readFrom).toBe("code");
  });
});
