import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { InstallJobs } from "../../src/main/catalog/index.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { packFolder } from "../support/verdaccio.ts";
import { openBench } from "./support.ts";

test("a job that was running when the app died is shown as failed after a restart, and can be retried", async () => {
  await using bench = await openBench();
  const dir = await writePlugin(join(bench.work, "echo"));
  const { id } = await bench.jobs.install({ spec: dir });
  await bench.until(id, "waiting");
  const left = await readFile(join(bench.home, "jobs.json"), "utf8");
  await bench.jobs.close();
  await writeFile(join(bench.home, "jobs.json"), left);
  const restarted = new InstallJobs(bench.options);
  expect(restarted.get(id)).toMatchObject({
    status: "failed",
    problem: { code: "SHUTTING_DOWN", message: "Patchbay was closed before this was finished." },
  });
  await restarted.retry(id);
  await new Promise<void>((resolve) => {
    restarted.changes.on("job", (job) => {
      if (job.question === "look") restarted.consent(id, { accept: true, question: "look" });
      if (job.question === "install") resolve();
    });
  });
  restarted.consent(id, { accept: true });
  expect((await restarted.ended(id)).status).toBe("done");
  await restarted.close();
});

test("ended jobs are still listed after a restart", async () => {
  await using bench = await openBench();
  const failed = await bench.install(join(bench.work, "nowhere"));
  await bench.jobs.close();
  const restarted = new InstallJobs(bench.options);
  expect(restarted.list()).toEqual([failed]);
  await restarted.close();
});

test("closing stops what waits and says so", async () => {
  await using bench = await openBench();
  const { id } = await bench.jobs.install({ spec: await writePlugin(join(bench.work, "echo")) });
  await bench.until(id, "waiting");
  await bench.jobs.close();
  expect(bench.jobs.get(id)).toMatchObject({ status: "failed", problem: { code: "SHUTTING_DOWN" } });
  expect(await bench.staged()).toEqual([]);
  await expect(bench.jobs.install({ spec: "anything" })).rejects.toThrow("Patchbay is closing.");
});

test("at start, staging and versions that no plugin refers to are removed, and nothing else", async () => {
  await using bench = await openBench();
  await bench.install(await writePlugin(join(bench.work, "echo")));
  const kept = await bench.placed();
  await mkdir(join(bench.home, "plugins", "echo", "9.9.9-aaaaaaaaaaaa"), { recursive: true });
  await mkdir(join(bench.home, "plugins", "half", "1.0.0-bbbbbbbbbbbb"), { recursive: true });
  await mkdir(join(bench.home, "staging", "some-job", "package"), { recursive: true });
  await bench.jobs.close();
  const restarted = new InstallJobs(bench.options);
  await restarted.recover();
  expect(await bench.placed()).toEqual(kept);
  expect(await readdir(join(bench.home, "plugins"))).toEqual(["echo"]);
  expect(await bench.staged()).toEqual([]);
  await restarted.close();
});

test("passwords in addresses do not reach the list of jobs on disk or on the screen", async () => {
  await using bench = await openBench();
  const job = await bench.install("git+http://someone:hunter2@127.0.0.1:1/repo.git");
  expect(job.problem?.code).toBe("GIT_FAILED");
  expect(JSON.stringify(job)).not.toContain("hunter2");
  expect(await readFile(join(bench.home, "jobs.json"), "utf8")).not.toContain("hunter2");
});

test.for(["a folder", "an archive"])(
  "a full disk fails the job with %s, and a retry works once there is space",
  async (kind, context) => {
    const disk = await mkdtemp(join(tmpdir(), "patchbay-small-disk-"));
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", disk], { stdio: "pipe" });
    } catch {
      await rm(disk, { recursive: true });
      context.skip("no small disk can be mounted here");
    }
    try {
      await using bench = await openBench({ home: join(disk, "home") });
      const dir = await writePlugin(join(bench.work, "big"), {
        key: "big",
        files: { "data.txt": "x".repeat(2_000_000) },
      });
      await writeFile(join(disk, "ballast"), Buffer.alloc(1_200_000));
      const archive = join(bench.work, "big.tgz");
      await writeFile(archive, await packFolder(dir));
      const { id } = await bench.jobs.install({ spec: kind === "a folder" ? dir : archive, yes: true });
      const job = await bench.jobs.ended(id);
      expect(job.problem).toMatchObject({
        code: "DISK_FULL",
        message: "The disk is full. Nothing was installed.",
      });
      expect(await bench.placed()).toEqual([]);
      expect(await bench.staged()).toEqual([]);
      await rm(join(disk, "ballast"));
      await bench.jobs.retry(id);
      await bench.untilConsent(id);
      bench.jobs.consent(id, { accept: true });
      expect((await bench.jobs.ended(id)).problem).toBeNull();
      expect(await bench.placed()).toHaveLength(1);
    } finally {
      // A lazy unmount (`-l`), because a process that has just ended may still count as using the folder.
      execFileSync("umount", ["-l", disk]);
      await rm(disk, { recursive: true });
    }
  },
);

test("a registry file that cannot be written undoes the placing", async () => {
  await using bench = await openBench();
  const dir = await writePlugin(join(bench.work, "echo"));
  bench.options.registry.put = () => {
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  };
  const job = await bench.install(dir);
  expect(job).toMatchObject({ status: "failed", phase: "check", problem: { code: "DISK_FULL" } });
  expect(await bench.placed()).toEqual([]);
  expect(await bench.staged()).toEqual([]);
});
