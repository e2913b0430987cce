import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { consentAnswerSchema, type Job, PatchbayError } from "../../contract/index.ts";
import { defaultPhaseLimits, JobRun, newJob, type PhaseLimits } from "./job-run.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(limits: Partial<PhaseLimits> = {}) {
  const seen: Job[] = [];
  const run = new JobRun(
    newJob("1", "install", { spec: "echo" }),
    { ...defaultPhaseLimits, ...limits },
    (job) => seen.push(job),
  );
  return { run, seen };
}

const endless = () => new Promise<never>(() => {});
const stopped = new PatchbayError("ABORTED", "The installation was stopped.");

test("each phase is shown running and then done, with its time", async () => {
  const { run, seen } = open();
  const done = run.phase("download", async (step) => {
    step.progress(0.5);
    return "result";
  });
  expect(await done).toBe("result");
  const shown = seen.map((job) => [
    job.phase,
    job.phases.find((row) => row.phase === "download")?.status,
    job.progress,
  ]);
  expect(shown).toEqual([
    ["download", "running", null],
    ["download", "running", 0.5],
    ["download", "done", null],
  ]);
  expect(run.job.phases.find((row) => row.phase === "download")?.ms).toEqual(expect.any(Number));
});

test("progress is told in steps of at least a hundredth", async () => {
  const { run, seen } = open();
  await run.phase("download", async (step) => {
    for (let index = 0; index <= 10_000; index++) step.progress(index / 10_000);
  });
  expect(seen.length).toBeLessThan(110);
  expect(seen.map((job) => job.progress)).toContain(1);
});

test("work that ignores its time limit is given up a moment after it", async () => {
  const { run } = open({ resolve: 5_000 });
  const failed = expect(run.phase("resolve", endless)).rejects.toMatchObject({
    code: "JOB_TIMEOUT",
    message: "The phase “resolve” took longer than 5 seconds and was stopped.",
  });
  await vi.advanceTimersByTimeAsync(7_000);
  await failed;
  expect(run.job.phases[0]?.status).toBe("failed");
});

test("work that heeds the signal is waited for, and why it was stopped is what is thrown", async () => {
  const { run } = open();
  let ended = false;
  const work = run.phase("verify", async (step) => {
    await new Promise((resolve) => step.signal.addEventListener("abort", resolve));
    ended = true;
    throw new Error("a read was interrupted");
  });
  run.stop(stopped);
  await expect(work).rejects.toBe(stopped);
  expect(ended).toBe(true);
});

test("a stopped job begins no further phase", async () => {
  const { run } = open();
  run.stop(stopped);
  await expect(run.phase("place", async () => "placed")).rejects.toBe(stopped);
});

test("what is committed is done to its end, whatever is asked meanwhile", async () => {
  const { run } = open({ check: 1_000 });
  const finish = Promise.withResolvers<string>();
  const work = run.phase("check", () => run.commit(() => finish.promise));
  run.stop(stopped);
  await vi.advanceTimersByTimeAsync(60_000);
  finish.resolve("switched");
  expect(await work).toBe("switched");
  run.succeed();
  expect(run.job).toMatchObject({ status: "done", problem: null });
});

test("consent waits as long as it takes, and no longer than the job", async () => {
  const { run } = open();
  const consent = { displayName: "Echo" } as NonNullable<Job["consent"]>;
  const answer = consentAnswerSchema.parse({ accept: true, allowScripts: true });
  expect(run.answer(answer)).toBe(false);
  const asked = run.phase("consent", (step) => run.askConsent(consent, step.signal));
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  expect(run.job.status).toBe("waiting");
  expect(run.job.question).toBe("install");
  expect(run.answer({ ...answer, question: "look" })).toBe(false);
  expect(run.answer(answer)).toBe(true);
  expect(await asked).toEqual(answer);
  expect(run.job.question).toBeNull();
  expect(run.job.status).toBe("running");
});

test("the log keeps its last lines, without passwords", () => {
  const { run } = open();
  for (let index = 0; index < 700; index++) run.log(`line ${index}`);
  run.log("Fetching https://me:secret@example.org/a.tgz");
  expect(run.job.log).toHaveLength(500);
  expect(run.job.log.at(-1)?.text).toBe("Fetching https://example.org/a.tgz");
});

test.each([
  [Object.assign(new Error("x"), { code: "ENOSPC" }), "failed", "DISK_FULL"],
  [Object.assign(new Error("x"), { code: "EACCES", path: "/p" }), "failed", "WRITE_FAILED"],
  [stopped, "cancelled", "ABORTED"],
  [new PatchbayError("CONSENT_REFUSED", "no"), "cancelled", "CONSENT_REFUSED"],
  [new TypeError("x"), "failed", "INTERNAL"],
])("%s ends the job as %s with %s", (error, status, code) => {
  const { run } = open();
  run.fail(error);
  expect(run.job).toMatchObject({ status, problem: { code }, endedAt: expect.any(String) });
});
