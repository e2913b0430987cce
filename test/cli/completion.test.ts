import { spawnSync } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AtTerminal } from "../support/at-terminal.ts";
import { type Bench, openBench } from "./support.ts";

let bench: Bench;
let path: string;
const offered = async (...words: string[]) =>
  (await bench.patchbay(["__complete", ...words])).stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t")[0]);

beforeAll(async () => {
  bench = await openBench();
  const programs = join(bench.folder, "bin");
  await mkdir(programs);
  await symlink(resolve("bin/patchbay"), join(programs, "patchbay"));
  path = `${programs}:${process.env.PATH}`;
  for (const plugin of ["echo", "base-trio"])
    await bench.patchbay(["plugin", "install", resolve("test/fixtures/plugins", plugin), "--yes"]);
  await bench.patchbay(["plugin", "enable", "echo", "--agent", "helper"]);
});
afterAll(() => bench.remove());

describe("what is offered", () => {
  it("commands, and what they are for", async () => {
    expect(await offered("plug")).toEqual(["plugin"]);
    expect(await offered("plugin", "un")).toEqual(["uninstall"]);
    expect((await bench.patchbay(["__complete", "doct"])).stdout).toBe(
      "doctor\tcheck what Patchbay needs to work\n",
    );
    expect(await offered("")).not.toContain("__complete");
  });

  it("options of the command and of all commands, and their choices", async () => {
    expect(await offered("plugin", "install", "--a")).toEqual(["--allow-scripts", "--accept-risk"]);
    expect(await offered("doctor", "--js")).toEqual(["--json"]);
    expect(await offered("plugin", "logs", "echo", "--level", "w")).toEqual(["warn"]);
    expect(await offered("completion", "")).toEqual(["bash", "zsh", "fish"]);
  });

  it("keys of plugins, ids of agents, tools of the agent that was named", async () => {
    expect(await offered("plugin", "info", "")).toEqual(["base-trio", "echo"]);
    expect(await offered("channel", "info", "ec")).toEqual(["echo"]);
    expect(await offered("plugin", "enable", "echo", "--agent", "")).toEqual(["helper"]);
    expect(await offered("agent", "show", "h")).toEqual(["helper"]);
    expect(await offered("tool", "call", "--agent", "helper", "read_")).toEqual(["read_file"]);
    expect(await offered("tool", "call", "--agent", "nobody", "echo")).toEqual([]);
  });

  it("files where files go, and nothing where nothing is known", async () => {
    expect(await offered("plugin", "install", "./")).toEqual([":files"]);
    expect(await offered("agent", "create", "")).toEqual([]);
    expect(await offered("no", "such", "thing")).toEqual([]);
  });
});

const shells: [name: string, command: string[], setUp: string][] = [
  ["bash", ["bash", "--norc", "-i"], 'eval "$(patchbay completion bash)"'],
  ["zsh", ["zsh", "-f", "-i"], 'eval "$(patchbay completion zsh)"'],
  ["fish", ["fish", "--no-config", "-i"], "patchbay completion fish | source"],
];

describe.each(shells)("in a real %s", (name, command, setUp) => {
  const isHere = spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0;

  it.runIf(isHere || process.env.CI !== undefined)(
    "Tab completes a command and the name of an agent",
    async () => {
      await using terminal = new AtTerminal(command, {
        cwd: bench.folder,
        env: { PATCHBAY_HOME: bench.home, PATH: path, HOME: bench.folder, INPUTRC: "/dev/null" },
      });
      terminal.types(`${setUp}; echo set''tled\r`);
      await terminal.sees("settled");
      terminal.types("patchbay agent sho\thel\t\r");
      await terminal.sees("Helper (helper)");
      terminal.types("exit\r");
      expect((await terminal.ended).code).toBe(0);
    },
  );
});
