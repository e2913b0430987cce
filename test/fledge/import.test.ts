import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bench, openBench } from "../cli/support.ts";
import { writeFiles } from "../support/fixture-plugin.ts";

let bench: Bench;
let from: string;
const fixture = (name: string) => resolve(import.meta.dirname, "../fixtures/fledge", name);

beforeAll(async () => {
  bench = await openBench();
  from = join(bench.folder, "fledge");
  await mkdir(from);
  await writeFiles(from, {
    "plugins.toml": `[[plugins]]
name = "twins"
source = "${fixture("twins")}"
version = "1.0.0"
installed = "2026-05-01"
commands = ["left", "right"]

[[plugins]]
name = "gone"
source = "${join(bench.folder, "gone")}"
version = "0.1.0"
installed = "2026-05-01"
commands = []
`,
  });
});

afterAll(() => bench.remove());

test("an existing installation is listed, and installed on request; one that fails stops no other", async () => {
  const listed = await bench.patchbay(["--json", "import", "fledge", "--from", from]);
  expect(listed.json()).toEqual({
    home: from,
    plugins: [
      { name: "twins", version: "1.0.0", spec: fixture("twins"), files: null },
      { name: "gone", version: "0.1.0", spec: join(bench.folder, "gone"), files: null },
    ],
  });
  const imported = await bench.patchbay(["--json", "import", "fledge", "--from", from, "--yes"]);
  expect(imported.code).toBe(1);
  expect(imported.json()).toMatchObject({
    plugins: [
      { name: "twins", installed: true, problem: null },
      { name: "gone", installed: false, problem: { code: "SOURCE_MISSING" } },
    ],
  });
  await bench.patchbay(["plugin", "enable", "fledge-twins", "--agent", "helper"]);
  const call = await bench.patchbay(["tool", "call", "fledge_twins__right", "--agent", "helper", "--yes"]);
  expect(call.stdout.trim()).toBe("right");
});

test("files that fledge has are used, though nobody reaches where they came from; unknown ones want the risk taken", async () => {
  const other = join(bench.folder, "fledge-with-files");
  await writeFiles(join(other, "plugins", "kept"), {
    "plugin.toml": `[plugin]
name = "kept"
version = "1.0.0"
[capabilities]
exec = true
[[commands]]
name = "say"
binary = "say"
`,
    say: "#!/bin/sh\necho kept\n",
  });
  await writeFiles(other, {
    "plugins.toml": `[[plugins]]
name = "kept"
source = "https://nobody.invalid/us/kept.git"
version = "1.0.0"
`,
  });
  const refused = await bench.patchbay(["--json", "import", "fledge", "--from", other, "--yes"]);
  expect(refused.json()).toMatchObject({
    plugins: [{ installed: false, problem: { code: "TRUST_REFUSED" } }],
  });
  const imported = await bench.patchbay([
    "--json",
    "import",
    "fledge",
    "--from",
    other,
    "--yes",
    "--accept-risk",
  ]);
  expect(imported.json()).toMatchObject({ plugins: [{ name: "kept", installed: true, problem: null }] });
  await bench.patchbay(["plugin", "enable", "fledge-kept", "--agent", "helper"]);
  const call = await bench.patchbay(["tool", "call", "fledge_kept__say", "--agent", "helper", "--yes"]);
  expect(call.stdout.trim()).toBe("kept");
});

test("a folder without an installation is named", async () => {
  const none = await bench.patchbay(["import", "fledge", "--from", join(bench.folder, "nowhere")]);
  expect(none.code).toBe(1);
  expect(none.stderr).toContain(`There is no fledge installation at ${join(bench.folder, "nowhere")}.`);
});
