import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-summary-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  write(
    "vitest.config.mjs",
    `export default { test: { projects: [{ test: { name: "integration", include: ["test/**/*.test.mjs"] } }] } };`,
  );
  write(
    "playwright.config.mjs",
    `export default { testDir: "e2e", reporter: "json", projects: [{ name: "browser" }] };`,
  );
});

afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

function write(file: string, text: string): void {
  mkdirSync(join(folder, file, ".."), { recursive: true });
  writeFileSync(join(folder, file), text);
}

/** Runs `npm test`'s script on the planted suites; resolves to the lines below its table of steps, and how it ended. */
async function closing(...steps: string[]): Promise<{ lines: string[]; code: number }> {
  const child = spawn(process.execPath, [join(root, "scripts", "test.mjs"), ...steps], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      PATH: `${join(root, "node_modules", ".bin")}${delimiter}${process.env.PATH}`,
      // Those of the vitest that runs this test.
      VITEST: undefined,
      VITEST_POOL_ID: undefined,
      VITEST_WORKER_ID: undefined,
    },
  });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  child.stderr.resume();
  const [code] = await once(child, "close");
  const all = text.trimEnd().split("\n");
  const table = all.findLastIndex((line) => /^(ok {4}|FAILED) /.test(line));
  return { lines: all.slice(table + 1).filter((line) => line !== ""), code };
}

test("what failed, and what passed only the second time, stands by name above the closing line", async () => {
  write(
    "test/planted.test.mjs",
    `import { beforeAll, describe, expect, test } from "vitest";
     let tries = 0;
     test("is well", () => {});
     describe("planted", () => {
       test("fails", () => expect(1).toBe(2));
       test("stumbles", () => expect(++tries).toBe(2));
     });
     describe("with a hook", () => {
       beforeAll(() => { throw new TypeError("no server"); });
       test("is never run", () => {});
     });`,
  );
  write("test/broken.test.mjs", `throw new Error("does not load");`);
  write(
    "e2e/planted.spec.mjs",
    `import { expect, test } from "@playwright/test";
     test("fails", () => expect(1).toBe(2));
     test("stumbles", ({}, info) => expect(info.retry).toBe(1));`,
  );
  const { lines, code } = await closing("integration", "e2e");
  expect(lines).toEqual([
    "1 skipped, each for the reason it gives above",
    "2 passed only the second time:",
    "  integration › test/planted.test.mjs › planted › stumbles",
    expect.stringMatching(/^ {6}AssertionError: expected 1 to be 2/),
    "  e2e › e2e/planted.spec.mjs:3 › stumbles (browser)",
    expect.stringMatching(/^ {6}Error: expect\(received\)\.toBe\(expected\)/),
    "4 failed:",
    "  integration › test/planted.test.mjs › planted › fails",
    expect.stringMatching(/^ {6}AssertionError: expected 1 to be 2/),
    "  integration › test/broken.test.mjs › outside of its tests",
    "      Error: does not load",
    "  integration › test/planted.test.mjs › with a hook",
    "      TypeError: no server",
    "  e2e › e2e/planted.spec.mjs:2 › fails (browser)",
    expect.stringMatching(/^ {6}Error: expect\(received\)\.toBe\(expected\)/),
    "      Expected: 2",
    "3 passed, 4 failed",
  ]);
  expect(code).toBe(1);
});

test("many failures are cut so that the end of the log names them, and all are counted", async () => {
  write(
    "test/many.test.mjs",
    `import { test } from "vitest";
     test.each(Array.from({ length: 40 }, (_, n) => n))("number %i", () => { throw new Error("no"); });`,
  );
  const { lines } = await closing("integration");
  expect(lines).toHaveLength(28);
  expect(lines.slice(0, 2)).toEqual(["40 failed:", "  integration › test/many.test.mjs › number 0"]);
  expect(lines.slice(-2)).toEqual(["  and 15 more", "0 passed, 40 failed"]);
});

test("an error that no test caught is named, and nothing is said when all is well", async () => {
  write("test/well.test.mjs", `import { test } from "vitest"; test("is well", () => {});`);
  expect(await closing("integration")).toEqual({ lines: ["1 passed, 0 failed"], code: 0 });
  write(
    "test/well.test.mjs",
    `import { test } from "vitest"; test("is well", () => { void Promise.reject(new RangeError("left alone")); });`,
  );
  expect(await closing("integration")).toEqual({
    lines: [
      "1 failed:",
      "  integration › caught by no test",
      "      RangeError: left alone",
      "1 passed, 1 failed",
    ],
    code: 1,
  });
});
