import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "@playwright/test";
import { chromiumPath } from "../support/chromium.ts";
import { running } from "./processes.ts";

const register = new URL("./register.ts", import.meta.url).href;
const app = join(import.meta.dirname, "spawned-host-app.ts");

/** Says what it was given, echoes its wire, and has a child of its own. */
const program = `
  const { spawn } = require("node:child_process");
  const child = spawn("sleep", ["300"], { stdio: "ignore" });
  console.log(JSON.stringify({ child: child.pid, given: process.env.GIVEN, home: process.env.HOME ?? null }));
  const wire = new (require("node:net").Socket)({ fd: Number(process.env.PATCHBAY_WIRE_FD) });
  wire.on("data", (chunk) => wire.write("heard " + chunk));
  wire.on("end", () => process.exit(7));
`;

/** The desktop's platform under the stand-in, with what it tells of the host that it started. */
class Started {
  readonly process: ChildProcess;
  readonly news: Record<string, unknown>[] = [];

  constructor(args: string[]) {
    this.process = spawn(process.execPath, ["--import", register, app, ...args], {
      cwd: mkdtempSync(join(tmpdir(), "patchbay-spawned-")),
      env: { ...process.env, CHROMIUM_PATH: chromiumPath() },
      stdio: ["pipe", "pipe", "inherit"],
    });
    if (!this.process.stdout) throw new Error("it has no output");
    createInterface({ input: this.process.stdout }).on("line", (line) => this.news.push(JSON.parse(line)));
  }

  say(text: string): void {
    this.process.stdin?.write(text);
  }

  /** What it told under a name; waits for it. */
  async told<T>(name: string): Promise<T> {
    await expect.poll(() => this.news.some((one) => name in one)).toBe(true);
    return this.news.find((one) => name in one)?.[name] as T;
  }
}

test.skip(process.platform === "win32", "the program is written for POSIX");

test("the desktop starts any program as a host, and carries both directions of its wire", async () => {
  const started = new Started([process.execPath, "-e", program]);
  expect(await started.told("shell")).toBe("desktop");
  const printed = JSON.parse(await started.told<string>("stdout"));
  expect(printed).toMatchObject({ given: "yes", home: null });
  started.say("hello\n");
  expect(await started.told("wire")).toBe("heard hello\n");
  started.say("close\n");
  expect(await started.told("exit")).toEqual({ code: 7, signal: null });
  await expect.poll(() => running([printed.child])).toEqual([]);
});

for (const how of ["is killed", "loses its app"]) {
  test(`a host of the desktop that ${how} leaves nothing behind`, async () => {
    const started = new Started([process.execPath, "-e", program]);
    const pid = await started.told<number>("pid");
    const { child } = JSON.parse(await started.told<string>("stdout"));
    expect(running([pid, child])).toHaveLength(2);
    if (how === "is killed") {
      started.say("kill\n");
      expect(await started.told("exit")).toEqual({ code: null, signal: "SIGKILL" });
    } else {
      started.process.kill("SIGKILL");
      await once(started.process, "exit");
    }
    await expect.poll(() => running([pid, child])).toEqual([]);
  });
}

test("a program that is not there is an exit that says why", async () => {
  const started = new Started(["no-such-program"]);
  expect(await started.told("exit")).toMatchObject({ code: null, error: expect.stringContaining("ENOENT") });
});
