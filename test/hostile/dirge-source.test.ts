import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dirgeRuntime } from "../dirge/dirge-plugin.ts";

/** What the app itself reads of a stranger's plugin before anybody has agreed to it. */
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "dirge-source-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const inspect = () => dirgeRuntime(join(dir, "home")).inspect({ kind: "folder", dir });
const write = (text: string | Buffer, name = "main.janet") => writeFileSync(join(dir, name), text);

const half = 500_000;

test.each([
  ["nested without bound", "(".repeat(half) + ")".repeat(half)],
  [
    "of definitions inside each other",
    `${"(upscope ".repeat(50_000)}(defn on-init [c])${")".repeat(50_000)}`,
  ],
  ["of names alone", Array.from({ length: 100_000 }, (_, at) => `s${at}`).join(" ")],
  ["of prefixes", `${"'".repeat(half)}x`],
  ["of structs as keys", `${"{".repeat(100_000)}1${" 1}".repeat(100_000)}`],
  ["of zeros", "\0".repeat(half)],
])(
  "a source %s is read or refused, and the app goes on meanwhile",
  async (_, text) => {
    write(text);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const outcome = await inspect().then(
      () => "read",
      (error) => error.code,
    );
    delay.disable();
    expect(["read", "MANIFEST_INVALID"]).toContain(outcome);
    // Nanoseconds. Read in one piece it was seconds; the rest of it is for a machine that has much to do.
    expect(delay.max).toBeLessThan(1_500_000_000);
  },
  60_000,
);

test("bytes that are no text are no reason to fail", async () => {
  write(
    Buffer.concat([
      Buffer.from('(defn on-prompt [ctx] "'),
      Buffer.from([0xff, 0xfe, 0xc0, 0x80]),
      Buffer.from('")'),
    ]),
  );
  expect((await inspect()).capabilities.hooks).toBeDefined();
});

test("of a file of many gigabytes no more is read than a plugin may have", async () => {
  write("(defn on-init [ctx] nil)");
  truncateSync(join(dir, "main.janet"), 8 * 1024 ** 3);
  const before = process.memoryUsage.rss();
  await expect(inspect()).rejects.toMatchObject({
    code: "MANIFEST_INVALID",
    message: expect.stringContaining("larger than a megabyte"),
  });
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 ** 2);
});

test("nor of many files that are each small enough", async () => {
  for (let at = 0; at < 201; at += 1) write("(def a 1)", `f${at}.janet`);
  await expect(inspect()).rejects.toMatchObject({ code: "MANIFEST_INVALID" });
});

test.skipIf(process.platform === "win32")(
  "a pipe that is called as a source keeps nobody waiting",
  async () => {
    write("(defn on-init [ctx] nil)");
    execFileSync("mkfifo", [join(dir, "pipe.janet")]);
    expect((await inspect()).capabilities.hooks).toBeDefined();
  },
);

test.each([
  '((eval (symbol "os/" "execute")) ["id"])',
  "((unmarshal image) 1)",
  '((compile (parse "(slurp `a`)")))',
  '(eval-string "(harness/register-tool `x` `` `` `{}` `f`)")',
])("%s is asked nothing for, and the card says that part of it cannot be read", async (text) => {
  write(text);
  const { consent, warnings } = await inspect();
  expect(consent).toMatchObject({ hosts: [], files: "none", programs: false });
  expect(warnings.join()).toContain("cannot be read from its source");
});
