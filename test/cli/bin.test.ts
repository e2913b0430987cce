import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeFiles } from "../support/fixture-plugin.ts";
import { openBench } from "./support.ts";

const run = promisify(execFile);

describe("bin/patchbay in a checkout", () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "patchbay-bin-"));
    await cp("bin", join(root, "bin"), { recursive: true });
    await writeFiles(root, {
      "package.json": JSON.stringify({ type: "module", scripts: { build: "node build.mjs" } }),
      "build.mjs": `import { mkdirSync, writeFileSync } from "node:fs";
console.log("building");
mkdirSync("out/main", { recursive: true });
writeFileSync("out/main/cli.js", "console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 1;");`,
    });
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const patchbay = (...args: string[]) =>
    run(process.execPath, [join(root, "bin", "patchbay"), ...args]).catch((error: unknown) => error);

  it("builds first where nothing is built, keeps stdout for the command and passes its exit code on", async () => {
    const first = await patchbay("plugin", "list", "--json");
    expect(first).toMatchObject({ code: 1, stdout: '["plugin","list","--json"]\n' });
    expect(first).toMatchObject({ stderr: expect.stringContaining("building") });
    const second = await patchbay("--help");
    expect(second).toMatchObject({ code: 1, stdout: '["--help"]\n', stderr: "" });
  });

  it.skipIf(process.platform === "win32")(
    "keeps what Node compiled where nobody else gets at it, and uses no folder that others may open",
    async () => {
      await patchbay();
      const kept = join(root, "out", "main", ".compiled");
      expect((await stat(kept)).mode & 0o777).toBe(0o700);
      expect(await readdir(kept)).not.toEqual([]);
      await rm(kept, { recursive: true });
      await mkdir(kept);
      await chmod(kept, 0o750);
      expect(await patchbay()).toMatchObject({ stdout: "[]\n", stderr: "" });
      expect(await readdir(kept)).toEqual([]);
    },
  );

  it("says so when the build fails", async () => {
    await writeFiles(root, { "build.mjs": "process.exit(3);" });
    expect(await patchbay()).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("build failed"),
    });
  });
});

describe("several commands at once", () => {
  it("take turns over one home", async () => {
    const bench = await openBench();
    const names = ["One", "Two", "Three", "Four"];
    const ended = await Promise.all(names.map((name) => bench.patchbay(["agent", "create", name, "--json"])));
    expect(ended.map((one) => one.code)).toEqual([0, 0, 0, 0]);
    const agents = (await bench.patchbay(["agent", "list", "--json"])).json<{ id: string }[]>();
    expect(agents.map((agent) => agent.id)).toEqual(["four", "one", "three", "two"]);
    await bench.remove();
  });
});
