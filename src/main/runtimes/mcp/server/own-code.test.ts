import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownCodeOf } from "./own-code.ts";

let home: string;
beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "patchbay-own-code-")));
  await mkdir(join(home, "dev", "tickets", "dist"), { recursive: true });
  await mkdir(join(home, "venv", "bin"), { recursive: true });
  for (const file of [
    "package.json",
    "dev/tickets/package.json",
    "dev/tickets/dist/index.js",
    "alone.py",
    "venv/pyvenv.cfg",
    "venv/bin/python",
    ".ssh-key",
  ])
    await writeFile(join(home, file), "{}");
  await symlink(join(home, "dev", "tickets", "dist", "index.js"), join(home, "linked.js"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const own = (command: string, ...args: string[]) =>
  ownCodeOf(
    {
      type: "program",
      command,
      args: args.map((arg) => (arg.startsWith("-") ? arg : join(home, arg))),
      env: {},
      cwd: "workspace",
    },
    home,
  ).map((path) => path.slice(home.length + 1));

test("the package of a script is what its program may read; never the home folder", () => {
  expect(own("node", "--inspect", "dev/tickets/dist/index.js")).toEqual(["dev/tickets"]);
  expect(own("python3", "alone.py")).toEqual(["alone.py"]);
  expect(own(join(home, "venv", "bin", "python"), "alone.py")).toEqual(["venv", "alone.py"]);
  expect(own("node", "linked.js")).toEqual(["linked.js", "dev/tickets"]);
});

test("files that are no code, folders, and arguments of other programs are not", () => {
  expect(own("node", ".ssh-key")).toEqual([]);
  expect(own("python3", "dev")).toEqual([]);
  expect(own("cat", "alone.py")).toEqual([]);
  expect(own("uvx", "-")).toEqual([]);
});
