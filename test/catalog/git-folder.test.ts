import { execFileSync } from "node:child_process";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dirOf } from "../support/dir-of.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { serveGit } from "../support/git-server.ts";
import { openBench } from "./support.ts";

const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];
const git = (dir: string, ...args: string[]) =>
  execFileSync("git", [...identity, "-C", dir, ...args], { encoding: "utf8", stdio: "pipe" }).trim();

async function openRepository() {
  const bench = await openBench();
  const dir = join(bench.work, "plugins.git");
  execFileSync("git", ["init", "-q", "-b", "main", dir]);
  const server = await serveGit(bench.work);
  const commit = async (versions: Record<string, string>, ...more: string[]) => {
    for (const [path, version] of Object.entries(versions)) {
      const key = path.split("/").at(-1) ?? path;
      await mkdir(join(dir, path), { recursive: true });
      await writePlugin(join(dir, path), { key, version });
    }
    git(dir, "add", "-A");
    git(dir, "commit", "-q", "--allow-empty", "-m", "next");
    if (more.length > 0) git(dir, ...more);
    return git(dir, "rev-parse", "HEAD");
  };
  return {
    bench,
    dir,
    commit,
    url: server.url("plugins.git"),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

test("a folder of a repository is the whole plugin, and is updated from there", async () => {
  await using repository = await openRepository();
  const { bench, commit, url } = repository;
  const first = await commit({ "tools/weather": "1.0.0", "tools/clock": "7.0.0" });
  const job = await bench.install(`${url}#tools/weather`);
  expect(job).toMatchObject({ status: "done", problem: null, sourceKind: "git", pluginKey: "weather" });
  const plugin = bench.registry.get("weather");
  expect(plugin?.source).toMatchObject({
    spec: `${url}#tools/weather`,
    resolved: `${url}#${first}:tools/weather`,
  });
  const files = await readdir(dirOf(plugin));
  expect(files).toContain("package.json");
  expect(files).not.toContain("tools");
  expect(files).not.toContain(".git");

  await commit({ "tools/weather": "1.1.0" });
  expect(await bench.update("weather")).toMatchObject({ status: "done", pluginVersion: "1.1.0" });
  await bench.jobs.uninstall("weather");
  const again = await bench.install(plugin?.source.resolved ?? "");
  expect(again).toMatchObject({ status: "done", pluginVersion: "1.0.0" });
});

test("a branch that is called like a path is a branch, and a name that is none is a folder", async () => {
  await using repository = await openRepository();
  const { bench, dir, commit, url } = repository;
  await commit({ weather: "1.0.0" }, "tag", "v1");
  await commit({ weather: "2.0.0" });
  git(dir, "branch", "feature/one", "v1");
  const wanted: [string, string | null, string | null][] = [
    ["#weather", "2.0.0", null],
    ["#weather/", "2.0.0", null],
    ["#v1:weather", "1.0.0", null],
    ["#feature/one:weather", "1.0.0", null],
    [":weather", null, "GIT_FAILED"],
    ["#:weather", "2.0.0", null],
    ["#v1::path:weather", "1.0.0", null],
    // The branch itself holds no plugin at its top.
    ["#feature/one", null, "NOT_A_PLUGIN"],
  ];
  for (const [fragment, version, code] of wanted) {
    const job = await bench.install(`${url}${fragment}`);
    expect([job.problem?.code ?? null, job.problem ? null : job.pluginVersion], fragment).toEqual([
      code,
      version,
    ]);
    if (version !== null) await bench.jobs.uninstall("weather");
  }
});

test("a folder that is not there, a file, and links that lead out are refused in words", async () => {
  await using repository = await openRepository();
  const { bench, dir, commit, url } = repository;
  await mkdir(join(bench.work, "outside"));
  await symlink("../../outside", join(dir, "out"));
  await symlink("/", join(dir, "root"));
  await mkdir(join(dir, "shared"));
  await writeFile(join(dir, "shared", "note"), "note\n");
  await commit({ "tools/weather": "1.0.0" });
  await symlink("../../shared", join(dir, "tools", "weather", "shared"));
  await symlink("tools", join(dir, "same"));
  await commit({ "tools/clock": "1.0.0" });
  const wanted: [string, string, string][] = [
    [
      "#nowhere/at/all",
      "GIT_FAILED",
      "has no branch, tag or commit “nowhere/at/all”, and no folder of that name.",
    ],
    ["#main:nowhere", "GIT_FAILED", "has no folder “nowhere”."],
    ["#nobranch:tools/clock", "GIT_FAILED", "has no branch, tag or commit “nobranch”."],
    ["#main:shared/note", "GIT_FAILED", "is a file. A plugin is a folder."],
    ["#main:shared/note/more", "GIT_FAILED", "has no folder “shared/note/more”."],
    ["#main:out", "GIT_FAILED", "has no folder “out”."],
    ["#main:root", "UNSAFE_PACKAGE", "is a link that leads out of the repository."],
    ["#tools/weather", "UNSAFE_PACKAGE", "“shared”"],
    ["#main:../x", "SPEC_UNSUPPORTED", "“../x” is not a folder inside of a repository."],
    ["#main:.git/hooks", "SPEC_UNSUPPORTED", "is not a folder inside of a repository."],
  ];
  for (const [fragment, code, message] of wanted) {
    const problem = await bench.install(`${url}${fragment}`).then(
      (job) => job.problem,
      (error) => error,
    );
    expect(problem, fragment).toMatchObject({ code, message: expect.stringContaining(message) });
  }
  expect(await bench.staged()).toEqual([]);
  expect(await bench.install(`${url}#same/clock`)).toMatchObject({ status: "done", pluginKey: "clock" });
});
