import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Job } from "../../src/contract/index.ts";
import { InstallJobs } from "../../src/main/catalog/index.ts";
import { jobWith } from "../catalog/support.ts";
import { type ConsentWorld, describeIn, description, openConsentWorld } from "./consent-world.ts";

let world: ConsentWorld;
beforeEach(async () => {
  world = await openConsentWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const asksAgain = (id: string, question: Job["question"] = "install") =>
  jobWith(world.bench.jobs, id, (job) => job.question === question || job.endedAt !== null);

async function version(dir: string, key: string, number: string, more: object = {}): Promise<void> {
  const file = join(dir, "package.json");
  const before = JSON.parse(await readFile(file, "utf8")) as object;
  await writeFile(file, JSON.stringify({ ...before, version: number }));
  await describeIn(dir, description(key, { ...more }));
}

describe("jobs that are started again", () => {
  test("a yes in advance to a folder that was empty is no yes to what lies there later", async () => {
    const { bench } = world;
    const dir = join(bench.work, "later");
    const failed = await bench.install(dir, { allowScripts: true, acceptRisk: true });
    expect(failed.problem).toMatchObject({ code: "SOURCE_MISSING" });
    await world.write("later", { prelude: world.leaveMark });
    await bench.jobs.retry(failed.id);
    const waiting = await asksAgain(failed.id, "look");
    expect(waiting).toMatchObject({ status: "waiting", question: "look" });
    expect(await world.marked()).toBe(false);
    bench.jobs.consent(failed.id, { accept: true, question: "look" });
    expect(await asksAgain(failed.id)).toMatchObject({ status: "waiting", question: "install" });
    bench.jobs.consent(failed.id, { accept: false });
    expect(await bench.jobs.ended(failed.id)).toMatchObject({ problem: { code: "CONSENT_REFUSED" } });
    expect(bench.registry.list()).toEqual([]);
    expect(bench.audited).toContainEqual(
      expect.objectContaining({ kind: "consent.refused", question: "install", pluginKey: "later" }),
    );
  });

  test("a yes that was written into the stored list of jobs is no yes", async () => {
    const { bench } = world;
    const dir = join(bench.work, "forged");
    const { id } = await bench.install(dir);
    await world.write("forged");
    await describeIn(dir, description("forged"));
    await bench.jobs.close();
    const file = join(bench.home, "jobs.json");
    const stored = await readFile(file, "utf8");
    expect(stored).toContain('"yes": false');
    await writeFile(file, stored.replace('"yes": false', '"yes": true').replace(/,"checked":"[^"]*"/, ""));
    const again = new InstallJobs(bench.options);
    await again.retry(id);
    const waiting = await jobWith(again, id, (job) => job.question === "install" || job.endedAt !== null);
    expect(waiting).toMatchObject({ status: "waiting", question: "install" });
    await again.close();
    expect(bench.registry.list()).toEqual([]);
  });
});

describe("going back to an older version", () => {
  /** Installs 1.0.0, which asks for a host, then 1.1.0, which asks for none. */
  async function twoVersions(key: string): Promise<void> {
    const dir = await world.write(key);
    await version(dir, key, "1.0.0", { permissions: { network: ["old.example"] } });
    expect((await world.bench.install(dir)).problem).toBeNull();
    await version(dir, key, "1.1.0", { permissions: { network: [] } });
    expect((await world.bench.update(key)).problem).toBeNull();
  }

  test("a roll-back replaces nothing before the person has seen what it goes back to", async () => {
    const { bench } = world;
    await twoVersions("back");
    const before = bench.calls.length;
    const { id } = await bench.jobs.rollback("back");
    const waiting = await asksAgain(id);
    expect(waiting).toMatchObject({ status: "waiting", kind: "rollback" });
    expect(waiting.consent).toMatchObject({
      packageVersion: "1.0.0",
      replaces: "1.1.0",
      changes: ["It now wants to reach old.example."],
    });
    expect(bench.registry.get("back")?.packageVersion).toBe("1.1.0");
    expect(bench.calls).toHaveLength(before);
    bench.jobs.consent(id, { accept: false });
    expect(await bench.jobs.ended(id)).toMatchObject({ problem: { code: "CONSENT_REFUSED" } });
    expect(bench.registry.get("back")?.packageVersion).toBe("1.1.0");
    expect(bench.audited).toContainEqual(
      expect.objectContaining({ kind: "consent.refused", packageVersion: "1.0.0", replaces: "1.1.0" }),
    );
    const again = await bench.jobs.rollback("back");
    await asksAgain(again.id);
    bench.jobs.consent(again.id, { accept: true });
    expect(await bench.jobs.ended(again.id)).toMatchObject({ status: "done", pluginVersion: "1.0.0" });
    expect(bench.registry.get("back")?.granted?.network.hosts).toEqual(["old.example"]);
  });

  test("a roll-back that was asked before another update does not undo that one", async () => {
    const { bench } = world;
    await twoVersions("raced");
    const { id } = await bench.jobs.rollback("raced");
    await asksAgain(id);
    await version(join(bench.work, "raced"), "raced", "1.2.0");
    expect((await bench.update("raced")).problem).toBeNull();
    bench.jobs.consent(id, { accept: true });
    expect(await bench.jobs.ended(id)).toMatchObject({ problem: { code: "NO_OTHER_VERSION" } });
    expect(bench.registry.get("raced")?.packageVersion).toBe("1.2.0");
  });

  test("a roll-back does not lead to the package of somebody else that had the key before", async () => {
    const { bench } = world;
    const first = await world.write("shared");
    await describeIn(first, description("shared"));
    expect((await bench.install(first)).problem).toBeNull();
    const second = await world.write("other", { key: "shared", name: "somebody-elses" });
    await describeIn(second, description("shared"));
    await bench.jobs.uninstall("shared");
    expect((await bench.install(first)).problem).toBeNull();
    const taken = await bench.install(second);
    if (taken.problem) expect(taken.problem.code).toBe("KEY_TAKEN");
    else expect(bench.registry.get("shared")?.previous).toEqual([]);
  });
});
