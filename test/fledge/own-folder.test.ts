import { readFileSync } from "node:fs";
import { lstat, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Plugin } from "../../src/contract/index.ts";
import { hashTree } from "../../src/main/catalog/tree.ts";
import { forgetWalls } from "../../src/main/platform/walls/start.ts";
import { writeFiles } from "../support/fixture-plugin.ts";
import { givenWalls } from "../support/open-walls.ts";
import { FledgeWorld } from "./world.ts";

const manifest = (more = "", version = "1.0.0") => `[plugin]
name = "keeper"
version = "${version}"
${more}
[capabilities]
exec = true
[[commands]]
name = "sh"
binary = "run"
args = [{ name = "script", type = "string", required = true }]
[[commands]]
name = "score"
binary = "score.py"
`;

const files = {
  "plugin.toml": manifest(),
  run: '#!/bin/sh\ncd "$FLEDGE_PLUGIN_DIR" && eval "$1"\n',
  // The folder of a program is found in all three ways that real ones use.
  "score.py": `#!/usr/bin/env python3
import os, pathlib, helper
here = pathlib.Path(__file__).resolve().parent
assert os.path.samefile(here, os.environ["FLEDGE_PLUGIN_DIR"])
file = here / "scores.json"
count = int(file.read_text()) + 1 if file.exists() else 1
file.write_text(str(count))
print(helper.word, count)
`,
  "helper.py": 'word = "score"\n',
  "words/list.txt": "apple",
};

let world: FledgeWorld;
let dir: string;

beforeEach(async () => {
  world = await FledgeWorld.open();
  dir = join(world.home, "plugins", "keeper", "1.0.0-abc");
  await writeFiles(dir, files);
});
afterEach(() => world.close());

const call = (started: Awaited<ReturnType<FledgeWorld["start"]>>, script: string) =>
  started.text("sh", { script: `{ ${script}\n} 2>&1; true` });

describe("what a plugin writes into its own folder", () => {
  test("is kept for the agent, and the installed files stay what they were", async () => {
    const plugin = await world.prepare(dir);
    const before = await hashTree(dir);
    const ada = await world.start(plugin);
    expect(await ada.text("score")).toBe("score 1\n");
    expect(await ada.text("score")).toBe("score 2\n");
    expect(await call(ada, "mkdir -p cache/a && echo x > cache/a/b && cat cache/a/b words/list.txt")).toBe(
      "x\napple",
    );
    expect(await call(ada, "echo pear > words/more.txt; ls words; cat words/more.txt")).toBe(
      "list.txt\nmore.txt\npear\n",
    );
    const bob = await world.start(plugin, { agentId: "bob" });
    expect(await bob.text("score")).toBe("score 1\n");
    expect(await hashTree(dir)).toBe(before);
    await ada.instance.stop("shutdown");
    const again = await world.start(plugin);
    expect(await again.text("score")).toBe("score 3\n");
    expect(await call(again, "cat cache/a/b words/more.txt")).toBe("x\npear\n");
    expect(await hashTree(dir)).toBe(before);
  });

  test("survives an update, and what the update installs counts before it", async () => {
    const first = await world.start(await world.prepare(dir));
    await first.text("score");
    await call(first, "echo mine > later.txt; echo mine > words/late.txt; mkdir lib; echo mine > lib/x");
    await first.instance.stop("shutdown");
    const next = join(world.home, "plugins", "keeper", "2.0.0-def");
    const { "words/list.txt": _gone, ...rest } = files;
    await writeFiles(next, {
      ...rest,
      "plugin.toml": manifest("", "2.0.0"),
      "later.txt": "theirs",
      "lib/x": "code",
      "words/other.txt": "o",
    });
    const second = await world.start(await world.prepare(next));
    expect(await second.text("score")).toBe("score 2\n");
    expect(await call(second, "cat later.txt lib/x; ls words; cat words/late.txt")).toBe(
      "theirscodelate.txt\nother.txt\nmine\n",
    );
  });

  test("is what the manifest calls data, which begins as it was installed", async () => {
    await writeFiles(dir, {
      "plugin.toml": manifest('data = ["words/", "./settings.json"]'),
      "settings.json": "1",
    });
    const plugin = await world.prepare(dir);
    const started = await world.start(plugin);
    expect(await call(started, "cat settings.json; echo 2 > settings.json; echo fig > words/list.txt")).toBe(
      "1",
    );
    await started.instance.stop("shutdown");
    const again = await world.start(plugin);
    expect(await call(again, "cat settings.json words/list.txt")).toBe("2\nfig\n");
  });

  test("is not what it runs: its programs cannot be data", async () => {
    await writeFiles(dir, { "plugin.toml": manifest('data = ["run", "plugin.toml", "../x"]') });
    const problems = await world.prepare(dir).catch((error) => error.details.problems);
    expect(problems.map(({ field }: { field: string }) => field)).toEqual([
      "plugin.data",
      "plugin.data",
      "plugin.data",
    ]);
  });

  test("of another package under the same key is not seen", async () => {
    const plugin = await world.prepare(dir);
    const first = await world.start(plugin);
    await call(first, "echo evil > planted.sh");
    await first.instance.stop("shutdown");
    const other: Plugin = { ...plugin, packageName: "other" };
    const second = await world.start(other);
    expect(await call(second, "ls")).not.toContain("planted");
  });
});

describe("what is installed there", () => {
  test("cannot be changed, replaced or hidden, and new code is not found before it", async () => {
    const plugin = await world.prepare(dir);
    const before = await hashTree(dir);
    const started = await world.start(plugin);
    const said = await call(
      started,
      `echo x > run; echo x >> helper.py; rm -f helper.py; mv helper.py h; ln -sf /tmp/x helper.py
       rm -rf words; mv words w; mkdir -p __pycache__ && echo x > __pycache__/helper.pyc; echo x > plugin.toml`,
    );
    expect(said).toMatch(/Read-only|busy/i);
    expect(await call(started, "cat helper.py words/list.txt; ls __pycache__; head -2 plugin.toml")).toBe(
      `${files["helper.py"]}apple${manifest().split("\n").slice(0, 2).join("\n")}\n`,
    );
    expect(await started.text("score")).toBe("score 1\n");
    await started.instance.stop("shutdown");
    const again = await world.start(plugin);
    expect(await again.text("score")).toBe("score 2\n");
    expect(await hashTree(dir)).toBe(before);
  });

  test("counts before links that the plugin left in the way of a new version", async () => {
    const outside = join(world.home, "outside");
    await mkdir(outside);
    await writeFile(join(outside, "key"), "secret");
    const first = await world.start(await world.prepare(dir));
    await call(
      first,
      `ln -s ${outside} lib; ln -s ${outside}/made by; mkdir deep; ln -s ${outside} deep/lib`,
    );
    await first.instance.stop("shutdown");
    const next = join(world.home, "plugins", "keeper", "2.0.0-def");
    await writeFiles(next, {
      ...files,
      "plugin.toml": manifest("", "2.0.0"),
      "lib/x": "code",
      by: "code",
      "deep/lib/y": "code",
    });
    const second = await world.start(await world.prepare(next));
    expect(
      await call(second, "cat lib/x by deep/lib/y; echo z > lib/new; echo z > deep/lib/new; ls lib"),
    ).toBe("codecodecodenew\nx\n");
    expect(await lstat(join(outside, "made")).catch(() => null)).toBeNull();
    expect(await readFile(join(outside, "key"), "utf8")).toBe("secret");
    expect(await lstat(join(outside, "new")).catch(() => null)).toBeNull();
  });
});

test("what a linked plugin writes beside its code is no attempt; changing the code is one, and is told", async () => {
  const plugin = await world.prepare(dir);
  const linked: Plugin = { ...plugin, source: { ...plugin.source, kind: "link" } };
  const refused: string[] = [];
  const told = givenWalls(undefined, ({ target }) => void refused.push(target));
  const started = await world.start(linked, { walls: told.walls("ada", linked, () => {}) });
  expect(
    await call(started, "echo x > mine.txt; mkdir -p words cache; echo x > cache/a; rm mine.txt; echo ok"),
  ).toBe("ok\n");
  expect(await call(started, "echo x > helper.py")).toMatch(/Read-only/);
  await expect.poll(() => refused).toEqual([join(dir, "helper.py")]);
});

test("a linked folder is seen as it is now, and the person's files are not written to", async () => {
  const plugin = await world.prepare(dir);
  const linked: Plugin = { ...plugin, source: { ...plugin.source, kind: "link" } };
  const started = await world.start(linked);
  expect(await started.text("score")).toBe("score 1\n");
  await writeFiles(dir, { "fresh.txt": "fresh", "helper.py": 'word = "points"\n' });
  await rm(join(dir, "words"), { recursive: true });
  await symlink("fresh.txt", join(dir, "alias"));
  expect(await call(started, "cat alias; ls -d words")).toMatch(/^fresh.*No such file/s);
  expect(await started.text("score")).toBe("points 2\n");
  expect(() => readFileSync(join(dir, "scores.json"))).toThrow("ENOENT");
});

test("without walls its programs run in a copy with its data, and the checked files stay what they were", async () => {
  const plugin = await world.prepare(dir);
  const before = await hashTree(dir);
  // A system that does not let bubblewrap make a sandbox.
  await writeFile(join(world.home, "bwrap"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  vi.stubEnv("PATH", `${world.home}:${process.env.PATH}`);
  forgetWalls();
  try {
    const started = await world.start(plugin);
    expect(await started.text("score")).toBe("score 1\n");
    expect(await started.text("score")).toBe("score 2\n");
    await call(started, "echo broken > helper.py; mkdir __pycache__; echo x > __pycache__/helper.pyc");
    await started.instance.stop("shutdown");
    const again = await world.start(plugin);
    expect(await again.text("score")).toBe("score 3\n");
    expect(await call(again, "cat helper.py; ls")).toBe(
      `${files["helper.py"]}helper.py\nplugin.toml\nrun\nscore.py\nscores.json\nwords\n`,
    );
    expect(await hashTree(dir)).toBe(before);
  } finally {
    vi.unstubAllEnvs();
    forgetWalls();
  }
});
