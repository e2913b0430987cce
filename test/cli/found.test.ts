import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeFiles } from "../support/fixture-plugin.ts";
import { type Bench, openBench } from "./support.ts";

let bench: Bench;
let env: Record<string, string>;
const twins = resolve(import.meta.dirname, "../fixtures/fledge/twins");
beforeAll(async () => {
  bench = await openBench();
  env = { HOME: bench.folder, XDG_CONFIG_HOME: join(bench.folder, "config") };
});
afterAll(() => bench.remove());

test("what another program on this computer has is listed, with what of it is installed", async () => {
  const fledge = join(bench.folder, "config", "fledge");
  const nothing = await bench.patchbay(["plugin", "found"], { env });
  expect(nothing.stdout).toContain("No other program on this computer has plugins that Patchbay knows.");
  expect(nothing.stdout).toContain(`looked in ${fledge}`);

  await mkdir(fledge, { recursive: true });
  await writeFiles(fledge, {
    "plugins.toml": `[[plugins]]\nname = "twins"\nsource = "${twins}"\nversion = "1.0.0"\n`,
  });
  const said = await bench.patchbay(["plugin", "found"], { env });
  expect(said.stdout).toContain("twins  1.0.0  fledge  your own  ● switched on there\n");
  expect(said.stdout).toContain(twins);
  expect((await bench.patchbay(["plugin", "install", twins, "--yes"], { env })).code).toBe(0);
  const listed = await bench.patchbay(["--json", "plugin", "found"], { env });
  expect(listed.json()).toMatchObject({
    plugins: [{ runtime: "fledge", key: "twins", dir: twins, status: "enabled", installed: "fledge-twins" }],
    looked: expect.arrayContaining([{ runtime: "fledge", places: [fledge], problem: null }]),
  });
});
