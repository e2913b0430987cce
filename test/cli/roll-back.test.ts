import { execFileSync } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AtTerminal } from "../support/at-terminal.ts";
import { type Bench, openBench } from "./support.ts";

/** A plugin from a repository that nobody known vouches for, and that starts programs, in two versions. */
describe("a roll-back to a version with a risk", () => {
  let bench: Bench;
  const run = (...args: string[]) => bench.patchbay(args);
  const version = async () =>
    (await run("plugin", "info", "fledge-hello", "--json")).json<{ packageVersion: string }>().packageVersion;

  beforeAll(async () => {
    bench = await openBench();
    const dir = join(bench.folder, "repo");
    await cp(resolve("test/fixtures/fledge/hello"), dir, { recursive: true });
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-C", dir, ...args]);
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-qm", "first");
    const spec = `git+${pathToFileURL(dir)}`;
    expect((await run("plugin", "install", spec, "--yes", "--accept-risk")).code).toBe(0);
    const toml = join(dir, "plugin.toml");
    await writeFile(toml, (await readFile(toml, "utf8")).replace(/version = ".*"/, 'version = "9.0.0"'));
    git("commit", "-qam", "second");
    expect((await run("plugin", "update", "fledge-hello", "--yes", "--accept-risk")).code).toBe(0);
    expect(await version()).toBe("9.0.0");
  });
  afterAll(() => bench.remove());

  it("does not take the risk with --yes alone, and names the flag", async () => {
    const refused = await run("plugin", "rollback", "fledge-hello", "--yes");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("--accept-risk");
    expect(await version()).toBe("9.0.0");
  });

  it.skipIf(process.platform === "win32")("wants it in so many words at a terminal", async () => {
    const command = ["plugin", "rollback", "fledge-hello"];
    await using person = new AtTerminal([
      process.execPath,
      resolve("bin/patchbay"),
      "--home",
      bench.home,
      ...command,
    ]);
    await person.sees('type "I take that risk"');
    person.types("y\r");
    await person.sees("These are other words");
    expect(await person.ended).toMatchObject({ code: 1 });
    expect(await version()).toBe("9.0.0");
  });

  it("takes it with --accept-risk", async () => {
    expect((await run("plugin", "rollback", "fledge-hello", "--yes", "--accept-risk")).code).toBe(0);
    expect(await version()).not.toBe("9.0.0");
  });
});
