import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bench, openBench } from "../cli/support.ts";
import { clientFiles, everythingIn, keys, writeHome } from "./other-clients.ts";
import { codeOf, serverFolder } from "./server-folder.ts";

let bench: Bench;
let home: string;
const env = () => ({ HOME: home, XDG_CONFIG_HOME: "", ACME_HOST: "acme.example", SHELL: "" });

beforeAll(async () => {
  bench = await openBench();
  home = join(bench.folder, "person");
  await writeHome(home, clientFiles());
  await mkdir(join(home, "srv"));
  await writeFile(join(home, "srv", "server.mjs"), await codeOf("legacy"));
});
afterAll(() => bench.remove());

test("servers of other programs are listed with their whole commands and no secret", async () => {
  const before = await everythingIn(home);
  const listed = await bench.patchbay(["import", "mcp"], { env: env() });
  expect(listed.code).toBe(0);
  expect(listed.stdout).toContain(
    "● tickets  Claude Desktop, Cursor\n  @acme/tickets@1.0.0 --region eu\n  secret: ACME_KEY\n",
  );
  expect(listed.stdout).toContain(
    "▲ The program /opt/acme/headers.sh, which makes its headers there, is not run.",
  );
  expect(listed.stdout).toContain(
    "▲ It is reached by a socket of this computer, which Patchbay does not do.",
  );
  for (const key of Object.values(keys)) expect(listed.stdout + listed.stderr).not.toContain(key);
  const one = await bench.patchbay(["--json", "import", "mcp", "--from", "zed"], { env: env() });
  expect(one.json<{ servers: { name: string }[] }>().servers.map(({ name }) => name)).toEqual(["postgres"]);
  expect(await everythingIn(home)).toEqual(before);
});

test("servers of a file are installed and handed over to an agent; a taken name is skipped or changed", async () => {
  const file = join(bench.folder, "servers.json");
  const srv = {
    command: process.execPath,
    args: [join(home, "srv", "server.mjs")],
    env: { LOUD: keys.acme },
  };
  await writeFile(
    file,
    JSON.stringify({
      mcpServers: { srv, Srv: { ...srv, args: [...srv.args, "--other"] }, off: { ...srv, disabled: true } },
    }),
  );
  await bench.patchbay(["agent", "create", "helper"], { env: env() });
  const args = ["--json", "import", "mcp", "--from", file, "--yes", "--agent", "helper"];
  const taken = await bench.patchbay(args, { env: env() });
  expect([taken.code, taken.json()]).toMatchObject([
    1,
    {
      servers: [
        { name: "srv", installed: true, key: "srv", switchedOn: true },
        // The second one of the same key takes nothing of the first.
        { name: "Srv", installed: false, problem: { code: "KEY_TAKEN" } },
      ],
      left: [{ name: "off" }],
    },
  ]);
  expect((await bench.patchbay(args, { env: env() })).json()).toMatchObject({
    servers: [1, 2].map(() => ({ installed: false, problem: { code: "KEY_TAKEN" } })),
  });
  const renamed = await bench.patchbay([...args, "--clash", "rename"], { env: env() });
  expect(renamed.json()).toMatchObject({
    servers: [
      { installed: true, key: "srv-2" },
      { installed: true, key: "srv-3" },
    ],
  });
  const replaced = await bench.patchbay([...args, "--clash", "replace"], { env: env() });
  expect(replaced.json()).toMatchObject({
    servers: [
      { installed: true, key: "srv", switchedOn: true },
      { installed: false, problem: { code: "KEY_TAKEN" } },
    ],
  });
  const nothing = await bench.patchbay(["import", "mcp", "--from", "nobody"], { env: env() });
  expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining("no program is called so")]);
});

test("a terminal says what a server offers, right after its installation and when it is looked at again", async () => {
  const run = (key: string) => serverFolder(join(bench.folder, key), "changing", { key, args: ["many"] });
  const installed = await bench.patchbay(["plugin", "install", await run("found"), "--yes"], { env: env() });
  expect(installed.stdout).toContain("It offers 501 tools, 1 prompt, and instructions for agents.");
  const ends = await serverFolder(join(bench.folder, "ends"), "raw", { key: "ends", args: ["exits"] });
  const failed = await bench.patchbay(["plugin", "install", ends, "--yes"], { env: env() });
  expect([failed.code, failed.stdout]).toEqual([0, expect.stringContaining("patchbay plugin check ends")]);
  const again = await bench.patchbay(["plugin", "check", "ends"], { env: env() });
  expect([again.code, again.stdout]).toEqual([1, expect.stringContaining("no licence found")]);
  const one = await bench.patchbay(["--json", "plugin", "check", "found"], { env: env() });
  expect([one.code, one.json()]).toMatchObject([0, { check: { state: "done", tools: 501 } }]);
});
