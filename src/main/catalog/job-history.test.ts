import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { jobSchema, type Problem } from "../../contract/index.ts";
import { openFileStorage } from "../store/index.ts";
import { JobHistory } from "./job-history.ts";

let home: string;
let notices: Problem[];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "patchbay-jobs-"));
  notices = [];
});
afterEach(() => rm(home, { recursive: true, force: true }));

function open() {
  const onNotice = (problem: Problem) => void notices.push(problem);
  return new JobHistory(openFileStorage({ home, onNotice }), onNotice);
}

const at = "2026-01-01T00:00:00.000Z";
const request = { spec: "weather", link: false, yes: false, allowScripts: false, acceptRisk: false };

/** A job in the form of version 1 of the file. */
function olderJob(id: string, consent: Record<string, unknown> | null) {
  return {
    plan: { kind: "install", request },
    job: {
      id,
      kind: "install",
      spec: "weather",
      sourceKind: "npm",
      status: consent ? "waiting" : "done",
      phase: consent ? "consent" : "check",
      progress: null,
      phases: [],
      consent: consent && {
        packageName: "weather",
        packageVersion: "1.0.0",
        manifestKey: "weather",
        displayName: "Weather",
        description: "Tells the weather.",
        runtime: "native",
        trust: "unverified",
        source: {
          kind: "npm",
          spec: "weather",
          resolved: "weather@1.0.0",
          integrity: "sha512-abc",
          treeHash: "abc",
          installedAt: at,
        },
        capabilities: { tools: { namespace: "weather" } },
        hasScripts: false,
        enforcement: "It can do whatever you can.",
        warnings: [],
        changes: [],
        ...consent,
      },
      problem: null,
      pluginKey: "weather",
      pluginVersion: "1.0.0",
      log: [{ at, text: "Downloaded." }],
      createdAt: at,
      endedAt: consent ? null : at,
    },
  };
}

test("jobs of the first version are read, with what they asked for in the form of now", async () => {
  const permissions = { network: ["api.weather.example"], files: "workspace", subprocess: false };
  const scripts = [{ name: "build", command: "make" }];
  const jobs = [
    olderJob("a", { permissions }),
    olderJob("b", { permissions: { network: true } }),
    olderJob("c", { permissions: null, scripts }),
    olderJob("d", null),
  ];
  await writeFile(join(home, "jobs.json"), JSON.stringify({ schemaVersion: 1, data: { jobs } }));

  const history = open();
  const read = history.load();

  expect(notices).toEqual([]);
  expect(read.map(({ job }) => job.consent?.asks ?? null)).toEqual([
    {
      declared: true,
      enforced: false,
      hosts: ["api.weather.example"],
      files: "workspace",
      programs: false,
      grants: [],
      scripts: [],
    },
    { declared: true, enforced: false, hosts: "any", files: null, programs: null, grants: [], scripts: [] },
    { declared: false, enforced: false, hosts: null, files: null, programs: null, grants: [], scripts },
    null,
  ]);
  for (const [index, { job, plan }] of read.entries()) {
    expect(jobSchema.parse(job)).toEqual(job);
    const { consent: _before, ...same } = jobs[index]?.job ?? {};
    const { consent: _now, ...rest } = job;
    expect(rest).toEqual({ ...same, question: null, firstLook: null });
    expect(plan).toEqual({ kind: "install", request: { ...request, look: false, replace: false } });
  }
  expect(JSON.stringify(read)).not.toContain("permissions");
  await history.close();
});

test("what was brought to the form of now is kept with the next change, and read again", async () => {
  await writeFile(
    join(home, "jobs.json"),
    JSON.stringify({
      schemaVersion: 1,
      data: { jobs: [olderJob("a", { permissions: {} }), olderJob("b", null)] },
    }),
  );
  const first = open();
  const [waiting] = first.load();
  await first.remove("b");
  await first.close();

  const stored = JSON.parse(await readFile(join(home, "jobs.json"), "utf8"));
  const second = open();

  expect(stored).toMatchObject({ schemaVersion: 2 });
  expect(second.load()).toEqual([waiting]);
  expect(notices).toEqual([]);
  await second.close();
});
