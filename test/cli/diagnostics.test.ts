import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { DiagnosticsReport } from "../../src/contract/index.ts";
import { type Bench, openBench } from "./support.ts";

let bench: Bench;

beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.remove());

test("diagnostics are listed, written without what is left out, and never over another file", async () => {
  await bench.patchbay(["secret", "set", "TOKEN"], { input: "not-for-strangers" });
  const listed = await bench.patchbay(["--json", "diagnostics", "export", "--list"]);
  const { files } = listed.json<DiagnosticsReport>();
  expect(files.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["README.txt", "versions.json", "store.json", "process.json", "secrets.json"]),
  );

  const path = join(bench.folder, "report.zip");
  const args = ["--json", "diagnostics", "export", "--to", path, "--leave-out", "store.json"];
  const written = await bench.patchbay(args);
  expect(written.json()).toMatchObject({ ok: true, file: path });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const zip = unzipSync(await readFile(path));
  expect(Object.keys(zip).sort()).toEqual(
    files
      .map(({ name }) => name)
      .filter((name) => name !== "store.json")
      .sort(),
  );
  const texts = Object.values(zip).map((bytes) => strFromU8(bytes));
  expect(texts.join("\n")).not.toContain("not-for-strangers");
  expect(strFromU8(zip["secrets.json"] as Uint8Array)).toContain("TOKEN");

  await writeFile(path, "mine");
  const again = await bench.patchbay(["--json", "diagnostics", "export", path]);
  expect([again.code, again.json()]).toMatchObject([1, { error: { code: "WRITE_FAILED" } }]);
  expect(await readFile(path, "utf8")).toBe("mine");
  const unknown = await bench.patchbay(["--json", "diagnostics", "export", "--leave-out", "nothing.json"]);
  expect([unknown.code, unknown.json()]).toMatchObject([1, { error: { code: "BAD_INPUT" } }]);
});

test("secrets are imported under their names, and their state is told", async () => {
  const file = join(bench.folder, "old.env");
  await writeFile(file, "# old\nA_TOKEN='one two'\nB_TOKEN=three\n");
  await bench.patchbay(["secret", "set", "B_TOKEN"], { input: "mine" });
  const imported = await bench.patchbay(["--json", "secret", "import", file]);
  expect(imported.json()).toEqual({ stored: ["A_TOKEN"], kept: ["B_TOKEN"] });
  const status = await bench.patchbay(["--json", "secret", "status"]);
  expect(status.json()).toMatchObject({ open: true, keys: [{ kind: "keyfile", opens: true }] });
  await bench.patchbay(["secret", "passphrase", "--ask-at-start"], { input: "four little words here" });
  const locked = await bench.patchbay(["--json", "secret", "status"]);
  expect([locked.code, locked.json()]).toMatchObject([
    1,
    { open: false, canUnlock: true, keys: [{ kind: "passphrase" }] },
  ]);
  const unlocked = await bench.patchbay(["--json", "secret", "status"], {
    env: { PATCHBAY_PASSPHRASE: "four little words here" },
  });
  expect(unlocked.json()).toMatchObject({ open: true });
});
