import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { dirOf } from "../support/dir-of.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { openBench } from "./support.ts";

const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];

function git(dir: string, ...args: string[]): string {
  return execFileSync("git", [...identity, "-C", dir, ...args], { encoding: "utf8", stdio: "pipe" }).trim();
}

async function commit(dir: string, version: string, tag?: string): Promise<string> {
  await writePlugin(dir, { key: "fromgit", version });
  git(dir, "add", "-A");
  git(dir, "commit", "-q", "-m", version);
  if (tag) git(dir, "tag", "-a", tag, "-m", tag);
  return git(dir, "rev-parse", "HEAD");
}

async function repository(work: string): Promise<{ dir: string; url: string }> {
  const dir = join(work, "repo");
  execFileSync("git", ["init", "-q", "-b", "main", dir]);
  return { dir, url: `git+${pathToFileURL(dir)}` };
}

test("a repository is installed at its newest commit, which is recorded", async () => {
  await using bench = await openBench();
  const { dir, url } = await repository(bench.work);
  const first = await commit(dir, "1.0.0");
  const job = await bench.install(url);
  expect(job).toMatchObject({ status: "done", sourceKind: "git", problem: null });
  const plugin = bench.registry.get("fromgit");
  expect(plugin?.source.resolved).toBe(`${pathToFileURL(dir)}#${first}`);
  expect(await readdir(dirOf(plugin))).not.toContain(".git");
  await commit(dir, "1.1.0");
  expect(await bench.update("fromgit")).toMatchObject({ status: "done", pluginVersion: "1.1.0" });
});

test("a tag, a branch, a range of tags, a whole and a short commit each mean what they say", async () => {
  await using bench = await openBench();
  const { dir, url } = await repository(bench.work);
  const first = await commit(dir, "1.0.0", "v1.0.0");
  await commit(dir, "1.4.0", "v1.4.0");
  await commit(dir, "2.0.0", "v2.0.0");
  git(dir, "branch", "old", first);
  const wanted = {
    "v1.0.0": "1.0.0",
    old: "1.0.0",
    "semver:^1.0.0": "1.4.0",
    [first]: "1.0.0",
    [first.slice(0, 9)]: "1.0.0",
  };
  for (const [revision, version] of Object.entries(wanted)) {
    const job = await bench.install(`${url}#${revision}`);
    expect(job.problem, revision).toBeNull();
    expect(job.pluginVersion, revision).toBe(version);
    await bench.jobs.uninstall("fromgit");
  }
});

test("a revision or repository that is not there is named", async () => {
  await using bench = await openBench();
  const { dir, url } = await repository(bench.work);
  await commit(dir, "1.0.0");
  expect((await bench.install(`${url}#nowhere`)).problem).toMatchObject({
    code: "GIT_FAILED",
    message: expect.stringContaining("has no branch, tag or commit “nowhere”"),
  });
  expect((await bench.install(`${url}-gone`)).problem).toMatchObject({
    code: "GIT_FAILED",
    message: expect.stringContaining("There is no git repository at"),
  });
  expect(await bench.staged()).toEqual([]);
});

test("a host that is not there is not a wrong branch", async () => {
  await using bench = await openBench();
  const { problem } = await bench.install("https://nobody.invalid/us/repo.git");
  expect(problem).toMatchObject({ code: "GIT_FAILED", message: "Git could not reach nobody.invalid." });
  expect(problem?.help).toContain("connection to the internet");
  expect(problem?.help).not.toContain("branch");
});

test("a repository in a folder is taken at the reference after its address", async () => {
  await using bench = await openBench();
  const { dir } = await repository(bench.work);
  await commit(dir, "1.0.0", "v1.0.0");
  await commit(dir, "2.0.0");
  const job = await bench.install(`${pathToFileURL(dir)}@v1.0.0`);
  expect(job).toMatchObject({ problem: null, sourceKind: "git", pluginVersion: "1.0.0" });
});

test("hooks, submodules and other transports of a repository do nothing", async () => {
  await using bench = await openBench();
  const { dir, url } = await repository(bench.work);
  await commit(dir, "1.0.0");
  const marker = join(bench.work, "ran");
  await writeFile(
    join(dir, ".gitmodules"),
    `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% ${marker}\n`,
  );
  git(dir, "update-index", "--add", "--cacheinfo", `160000,${git(dir, "rev-parse", "HEAD")},x`);
  git(dir, "add", ".gitmodules");
  git(dir, "commit", "-q", "-m", "submodule");
  const hook = join(bench.work, "template", "hooks", "post-checkout");
  await mkdir(dirname(hook), { recursive: true });
  await writeFile(hook, `#!/bin/sh\ntouch ${marker}\n`);
  await chmod(hook, 0o755);
  process.env.GIT_TEMPLATE_DIR = join(bench.work, "template");
  try {
    expect((await bench.install(url)).problem).toBeNull();
  } finally {
    delete process.env.GIT_TEMPLATE_DIR;
  }
  expect(await stat(marker).catch(() => null)).toBeNull();
});
