import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bench, openBench } from "../cli/support.ts";
import { writeFiles } from "../support/fixture-plugin.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.remove());

const files = (version: string) => ({
  "plugin.toml": `[plugin]
name = "counter"
version = "${version}"
[[commands]]
name = "count"
binary = "count"
`,
  count: `#!/bin/sh
cd "$FLEDGE_PLUGIN_DIR"
echo x >> scores
wc -l < scores | tr -d ' '
`,
});

test("a plugin that keeps its scores in its own folder goes on with them after starts, updates and installations", async () => {
  const dir = join(bench.folder, "counter");
  await mkdir(dir);
  await writeFiles(dir, files("1.0.0"));
  const done = async (...args: string[]) => {
    const ended = await bench.patchbay(args);
    expect(ended.stderr + ended.stdout).not.toContain("not those that were installed");
    expect(ended.code, ended.stderr).toBe(0);
    return ended.stdout.trim();
  };
  const count = () => done("tool", "call", "fledge_counter__count", "--agent", "helper", "--yes");
  await done("plugin", "install", dir, "--yes");
  await done("plugin", "enable", "fledge-counter", "--agent", "helper");
  expect(await count()).toBe("1");
  expect(await count()).toBe("2");
  expect(await done("plugin", "list")).not.toContain("failed to load");
  await writeFiles(dir, files("1.1.0"));
  await done("plugin", "update", "fledge-counter", "--yes");
  expect(await count()).toBe("3");
  await done("plugin", "uninstall", "fledge-counter");
  await done("plugin", "install", dir, "--yes");
  await done("plugin", "enable", "fledge-counter", "--agent", "helper");
  expect(await count()).toBe("4");
});
