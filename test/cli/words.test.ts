import { execFileSync } from "node:child_process";
import { appendFile, cp, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AtTerminal } from "../support/at-terminal.ts";
import { type Bench, openBench } from "./support.ts";

const bin = resolve("bin/patchbay");

let bench: Bench;
const run = (...args: string[]) => bench.patchbay(args);

beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.remove());

it("the first agent is the person's own when their first command makes one", async () => {
  const other = await openBench();
  try {
    await other.patchbay(["agent", "create", "Alpha"]);
    expect((await other.patchbay(["agent", "list", "--json"])).json()).toMatchObject([{ id: "alpha" }]);
  } finally {
    await other.remove();
  }
  expect((await run("agent", "list", "--json")).json()).toMatchObject([{ id: "helper" }]);
});

it("an empty log says that plugins write one while Patchbay runs", async () => {
  await run("plugin", "install", resolve("test/fixtures/plugins/echo"), "--yes");
  const logs = await run("plugin", "logs", "echo", "--agent", "helper");
  expect(logs.stderr).toContain("Start it with `patchbay serve`");
  expect((await run("plugin", "logs", "echo", "--agent", "helper", "--follow")).code).toBe(1);
});

it("the info of a plugin says what it can do and what it reaches", async () => {
  for (const more of [[], ["--agent", "helper"]]) {
    const { stdout } = await run("plugin", "info", "echo", ...more);
    expect(stdout).toMatch(/^Can +Tools/m);
    expect(stdout).toMatch(/^Reaches +It /m);
  }
});

it("a plugin whose files were changed is not said to run", async () => {
  await run("plugin", "install", resolve("test/fixtures/plugins/base-trio"), "--yes");
  await run("plugin", "enable", "echo", "--agent", "helper");
  const before = await run("plugin", "list", "--agent", "helper");
  expect(before.stdout).toContain("Running");
  const folder = join(bench.home, "plugins", "echo");
  const [version] = await readdir(folder);
  await appendFile(join(folder, String(version), "package.json"), "\n");
  for (const command of ["list", "info echo"]) {
    const { stdout } = await run("plugin", ...command.split(" "), "--agent", "helper");
    expect(stdout).toContain("✗ Failed to start");
    expect(stdout).not.toContain("Running");
  }
});

it("settings read the same wherever a command prints them", async () => {
  await run("plugin", "config", "echo", "--agent", "helper", "--set", "prefix=> ");
  const settings = '{ "tools": { "prefix": "> " } }';
  expect((await run("plugin", "config", "echo", "--agent", "helper")).stdout).toContain(`${settings}\n`);
  expect((await run("plugin", "info", "echo", "--agent", "helper")).stdout).toMatch(
    new RegExp(`^Settings +${settings}$`, "m"),
  );
});

it("a wrong address of a model is said in words, without a path of ours", async () => {
  const ended = await run("agent", "create", "Beta", "--model", "openai-compatible:m@http://[");
  expect(ended.stderr).toContain(
    "The address of the model must be an address such as https://example.com/v1 or localhost:11434.",
  );
  expect(ended.stderr).not.toMatch(/baseUrl|Invalid/);
});

it("a failing tool says what failed, and nothing that only sends the reader back", async () => {
  const ended = await run(
    ...["tool", "call", "shell", "--agent", "helper", "--yes"],
    ...["--input", '{"command":"echo no; exit 3"}'],
  );
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("exit code 3");
  expect(ended.stderr).not.toContain("Read its message");
});

it("the help of a command ends with examples", async () => {
  for (const words of [[], ["plugin", "install"], ["tool", "call"], ["job"]])
    expect((await run(...words, "--help")).stdout).toMatch(/\nExamples:\n {2}\$ patchbay /);
});

it("a repository may be named by its owner and name, and help and hints say so", async () => {
  expect((await run("plugin", "install", "--help")).stdout).toContain("owner/repo");
  const unread = await run("plugin", "install", "ftp://example.org/a");
  expect(unread.code).toBe(1);
  expect(unread.stderr).toContain("owner/repo");
});

it("a risk is taken in so many words at a terminal, and by its flag elsewhere", async () => {
  const dir = join(bench.folder, "repo");
  await cp(resolve("test/fixtures/fledge/hello"), dir, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], { cwd: dir });
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "All of it");
  const install = ["plugin", "install", `git+${pathToFileURL(dir)}`];
  const elsewhere = await run(...install);
  expect(elsewhere.stderr).toContain("--yes");
  expect(elsewhere.stderr).toContain("--accept-risk");
  expect((await run(...install, "--yes")).stderr).toContain("--accept-risk");

  const atTerminal = () =>
    new AtTerminal([process.execPath, bin, ...install], { env: { PATCHBAY_HOME: bench.home } });
  {
    await using plainYes = atTerminal();
    await plainYes.sees('type "I take that risk"');
    plainYes.types("y\r");
    await plainYes.sees("so the risk is not taken");
    expect((await plainYes.ended).code).toBe(1);
  }
  {
    await using inWords = atTerminal();
    await inWords.sees('type "I take that risk"');
    inWords.types("I take that risk\r");
    await inWords.sees("is installed");
    expect((await inWords.ended).code).toBe(0);
  }
});
