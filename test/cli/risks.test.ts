import { execFileSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeFiles } from "../support/fixture-plugin.ts";
import { type Bench, openBench } from "./support.ts";

/** A plugin from a repository for which nobody vouches: its risk is taken by name, at an update as at its installation. */
let bench: Bench;
let dir: string;
const run = (...args: string[]) => bench.patchbay(args);
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], { cwd: dir });

async function commit(version: string): Promise<void> {
  await writeFiles(dir, {
    "plugin.toml": `[plugin]
name = "risky"
version = "${version}"
[capabilities]
exec = true
[[commands]]
name = "go"
binary = "go"
[hooks]
post_install = "true"
`,
    go: "#!/bin/sh\necho went\n",
  });
  git("add", ".");
  git("commit", "-q", "-m", version);
}

/** Lines of the audit of one kind, the oldest first. */
async function audited(kind: string): Promise<Record<string, unknown>[]> {
  const folder = join(bench.home, "audit");
  const days = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  const texts = await Promise.all(days.map((day) => readFile(join(folder, day), "utf8")));
  const lines = texts.flatMap((text) => text.split("\n").filter(Boolean));
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line.kind === kind);
}

beforeAll(async () => {
  bench = await openBench();
  dir = join(bench.folder, "repo");
  await writeFiles(dir, { "README.md": "Risky.\n" });
  git("init", "-q");
  await commit("1.0.0");
});
afterAll(() => bench.remove());

const install = () => ["plugin", "install", `git+${pathToFileURL(dir)}`];

it("where nobody can be asked, the refusal names every flag that it needs", async () => {
  const refused = await run(...install());
  expect(refused.code).toBe(1);
  for (const flag of ["--yes", "--accept-risk", "--allow-scripts"]) expect(refused.stderr).toContain(flag);
});

it("the audit keeps which risk was taken, and that no script ran", async () => {
  expect((await run(...install(), "--yes", "--accept-risk")).code).toBe(0);
  expect(await audited("plugin.installed")).toMatchObject([
    { pluginKey: "fledge-risky", trust: "unverified", risk: expect.stringMatching(/\w/), scripts: [] },
  ]);
});

it("an update of it needs the risk taken as well, and takes the flag", async () => {
  await commit("1.1.0");
  const refused = await run("plugin", "update", "fledge-risky", "--yes");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("--accept-risk");
  const updated = await run(
    ...["plugin", "update", "fledge-risky", "--yes", "--accept-risk", "--allow-scripts", "--json"],
  );
  expect(updated.code, updated.stderr + updated.stdout).toBe(0);
  expect((await run("plugin", "info", "fledge-risky", "--json")).json()).toMatchObject({
    packageVersion: "1.1.0",
    scriptsAllowed: true,
  });
});

it("what is taken over from fledge names both flags before, and the one that is lacking afterwards", async () => {
  const from = join(bench.folder, "fledge");
  await writeFiles(from, {
    "plugins.toml": `[[plugins]]
name = "built"
source = "${join(bench.folder, "built")}"
version = "1.0.0"
`,
    "../built/plugin.toml": `[plugin]
name = "built"
version = "1.0.0"
[[commands]]
name = "go"
binary = "go"
[hooks]
build = "cp source go"
`,
    "../built/source": "#!/bin/sh\necho went\n",
  });
  const listed = await run("import", "fledge", "--from", from);
  for (const flag of ["--yes", "--accept-risk", "--allow-scripts"]) expect(listed.stdout).toContain(flag);
  const taken = await run("import", "fledge", "--from", from, "--yes");
  expect(taken.code).toBe(0);
  expect(taken.stdout).not.toContain("✓ built");
  expect(taken.stdout).toContain("▲ built: installed, but not made ready");
  expect(taken.stdout).toContain("--allow-scripts: build");
});
