import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AtTerminal } from "../support/at-terminal.ts";
import { writeFiles } from "../support/fixture-plugin.ts";
import { startApp } from "../support/running-app.ts";
import { type Bench, openBench } from "./support.ts";

const bin = resolve("bin/patchbay");

/** A fledge plugin whose program is only there after its build. */
async function writeBuilt(dir: string, name: string, build: string): Promise<string> {
  await writeFiles(dir, {
    "plugin.toml": `[plugin]
name = "${name}"
version = "1.0.0"
description = "Is built before it runs."
[[commands]]
name = "go"
binary = "go.sh"
[hooks]
build = "build.sh"
post_install = "after.sh"
`,
    "source.sh": "#!/bin/sh\necho went\n",
    "build.sh": `#!/bin/sh\n${build}\n`,
    "after.sh": "#!/bin/sh\necho set the variable GO_HOME\n",
  });
  for (const file of ["source.sh", "build.sh", "after.sh"]) await chmod(join(dir, file), 0o755);
  return dir;
}

describe("a plugin that has to be built", () => {
  let bench: Bench;
  const run = (...args: string[]) => bench.patchbay(args);
  const installed = async () => (await readdir(join(bench.home, "plugins", "fledge-made"))).sort();

  beforeAll(async () => {
    bench = await openBench();
    await writeBuilt(
      join(bench.folder, "made"),
      "made",
      "echo compiling one; echo compiling two; cp source.sh go.sh",
    );
    await writeBuilt(join(bench.folder, "broken"), "broken", "echo error in line 7; echo 1 error; exit 3");
  });
  afterAll(() => bench.remove());

  it("is said to be not ready while its build was not allowed, with the flag that allows it", async () => {
    const ended = await run("plugin", "install", join(bench.folder, "made"), "--yes");
    expect(ended.stdout).toContain("its scripts were not allowed (build, post_install)");
    expect(ended.stdout).toContain("patchbay plugin update fledge-made --allow-scripts");
    const enabled = await run("plugin", "enable", "fledge-made", "--agent", "helper");
    const listed = await run("plugin", "list", "--agent", "helper");
    for (const { stdout } of [enabled, listed]) {
      expect(stdout).toContain("▲ Has a problem (scripts not allowed: build, post_install;");
      expect(stdout).not.toContain("Running");
    }
    expect((await run("plugin", "info", "fledge-made")).stdout).toContain("--allow-scripts");
    expect((await run("job", "show", "--json")).json()).toMatchObject({
      skippedScripts: ["build", "post_install"],
    });
  });

  it("is built by an update that allows it, with what its build and post_install print", async () => {
    const ended = await run("plugin", "update", "fledge-made", "--yes", "--allow-scripts");
    expect(ended.stderr).toMatch(/compiling one\n.*compiling two\n[\s\S]*set the variable GO_HOME/);
    expect(ended.stdout).toContain("✓ fledge-made 1.0.0 is updated.");
    const listed = await run("plugin", "list", "--agent", "helper");
    expect(listed.stdout).toContain("Running (ready, starts when a tool is called)");
  });

  it("is up to date when an update finds the same files, and stays as it is", async () => {
    const before = await installed();
    const ended = await run("plugin", "update", "fledge-made");
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("✓ fledge-made 1.0.0 is up to date; nothing was changed.");
    expect(ended.stdout).not.toContain("place");
    expect(await installed()).toEqual(before);
    expect((await run("plugin", "info", "fledge-made", "--json")).json()).toMatchObject({
      scriptsAllowed: true,
    });
  });

  it("is updated when the files are others", async () => {
    await writeFile(join(bench.folder, "made", "NEWS"), "more\n");
    const ended = await run("plugin", "update", "fledge-made", "--yes");
    expect(ended.stdout).toContain("✓ fledge-made 1.0.0 is updated.");
  });

  it("shows all that its build printed when that fails, and where to read it again", async () => {
    const ended = await run("plugin", "install", join(bench.folder, "broken"), "--yes", "--allow-scripts");
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("error in line 7\n");
    const [, id] = /patchbay job logs (\S+)/.exec(ended.stderr) ?? [];
    const logs = await run("job", "logs", id ?? "none");
    expect(logs.stdout).toMatch(/error in line 7\n.*1 error\n/);
    expect((await run("job", "show", id ?? "none")).stdout).toContain("place: failed");
    expect((await run("job", "logs", "fledge-broken", "--json")).json()).toContainEqual({
      at: expect.any(String),
      text: "error in line 7",
    });
  });

  it("stands in the list of jobs with what became of it, the newest first", async () => {
    const jobs = (await run("job", "list", "--json")).json<{ kind: string; status: string }[]>();
    expect(jobs.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      "install failed",
      "update done",
      "update done",
      "update done",
      "install done",
    ]);
    const { stdout } = await run("job", "list");
    expect(stdout).toContain("was up to date");
    expect((await run("job", "logs", "nope", "--json")).json()).toMatchObject({
      error: { code: "JOB_NOT_FOUND" },
    });
  });
});

it("a running job's log is followed to its end", async () => {
  const folder = await mkdtemp(join(tmpdir(), "patchbay-follow-"));
  const home = join(folder, "home");
  const app = await startApp(home);
  try {
    const dir = await writeBuilt(join(folder, "slow"), "slow", "echo begun; cat gate; cp source.sh go.sh");
    execFileSync("mkfifo", [join(dir, "gate")]);
    const job = app.rest("POST", "/jobs", { spec: dir, link: true, yes: true, allowScripts: true });
    const { id } = (await job) as { id: string };
    await using terminal = new AtTerminal([
      process.execPath,
      bin,
      "--home",
      home,
      "job",
      "logs",
      id,
      "--follow",
    ]);
    await terminal.sees("begun");
    await writeFile(join(dir, "gate"), "the gate is open\n");
    await terminal.sees("the gate is open");
    await terminal.sees("set the variable GO_HOME");
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.screen.match(/begun/g)).toHaveLength(1);
  } finally {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
});
