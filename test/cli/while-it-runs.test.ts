import { execFileSync } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AtTerminal } from "../support/at-terminal.ts";
import { writeFiles } from "../support/fixture-plugin.ts";
import { type Bench, openBench } from "./support.ts";

const bin = resolve("bin/patchbay");

let bench: Bench;
let workspace: string;
const call = (tool: string, input: object) => [
  "tool",
  "call",
  tool,
  "--agent",
  "alpha",
  "--input",
  JSON.stringify(input),
  "--yes",
];
const atTerminal = (args: string[]) =>
  new AtTerminal([process.execPath, bin, ...args], { env: { PATCHBAY_HOME: bench.home } });
const openGate = () => writeFile(join(workspace, "gate"), "");

beforeAll(async () => {
  bench = await openBench();
  workspace = join(bench.folder, "work");
  await bench.patchbay(["agent", "create", "Alpha", "--workspace", workspace]);
  execFileSync("mkfifo", [join(workspace, "gate")]);
  await writeFiles(join(bench.folder, "slow"), {
    "plugin.toml": `[plugin]
name = "slow"
version = "1.0.0"
description = "Takes its time."
[[commands]]
name = "go"
binary = "go.sh"
`,
    "go.sh": "#!/bin/sh\necho first\ncat gate\necho last\n",
  });
  await chmod(join(bench.folder, "slow", "go.sh"), 0o755);
  await bench.patchbay(["plugin", "install", join(bench.folder, "slow"), "--yes"]);
  await bench.patchbay(["plugin", "enable", "fledge-slow", "--agent", "alpha"]);
});
afterAll(() => bench.remove());

it("what a command prints is shown while it runs, and once", async () => {
  await using terminal = atTerminal(call("shell", { command: "echo one; cat gate; echo two" }));
  await terminal.sees("one");
  await openGate();
  await terminal.sees("two");
  expect((await terminal.ended).code).toBe(0);
  expect(terminal.screen.match(/one/g)).toHaveLength(1);
  expect(terminal.screen.match(/two/g)).toHaveLength(1);
});

it("what a plugin's program prints is shown while it runs, and once", async () => {
  await using terminal = atTerminal(call("fledge_slow__go", {}));
  await terminal.sees("first");
  await openGate();
  await terminal.sees("last");
  expect((await terminal.ended).code).toBe(0);
  expect(terminal.screen.match(/first/g)).toHaveLength(1);
  expect(terminal.screen.match(/last/g)).toHaveLength(1);
});

it("elsewhere stdout holds the answer alone, whole, and stderr what was said meanwhile", async () => {
  const ended = await bench.patchbay(call("shell", { command: "echo one; echo two" }));
  expect(ended.stdout).toBe("one\ntwo\n");
  expect(ended.stderr).toContain("one\n");
  const asJson = await bench.patchbay([...call("shell", { command: "echo one" }), "--json"]);
  expect(asJson.json()).toMatchObject({ content: [{ text: "one\n" }], trace: { outcome: "executed" } });
});
