import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
let folder: string;
let start: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-start-"));
});

afterEach(async () => {
  if (start && start.exitCode === null && start.signalCode === null) {
    start.kill("SIGINT");
    await once(start, "exit");
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs `npm start`'s script on a machine without a display, where opening the browser is only written down. */
function run(...args: string[]): { child: ChildProcess; errors: () => string; opened: string } {
  const bin = join(folder, "bin");
  const opened = join(folder, "opened");
  mkdirSync(bin);
  for (const name of ["xdg-open", "open"]) {
    writeFileSync(join(bin, name), `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const child = spawn(process.execPath, [join(root, "scripts", "start.mjs"), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      PATCHBAY_HOME: join(folder, "home"),
      DISPLAY: "",
      WAYLAND_DISPLAY: "",
    },
  });
  let text = "";
  child.stderr.on("data", (chunk) => {
    text += chunk;
  });
  start = child;
  return { child, errors: () => text, opened };
}

async function printedLink(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("The script has no output.");
  for await (const line of createInterface(child.stdout)) {
    const link = /http:\/\/127\.0\.0\.1:\d+\/#link=\S+/.exec(line)?.[0];
    if (link) return link;
  }
  throw new Error("The script ended without a link.");
}

describe.runIf(process.platform !== "win32")("npm start", () => {
  test("with --browser prints the link to a usable screen, opens it, and ends well on Ctrl+C", async () => {
    const { child, errors, opened } = run("--browser");
    const link = await printedLink(child);
    const page = await fetch(link);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("<title>Patchbay</title>");
    await expect.poll(() => existsSync(opened) && readFileSync(opened, "utf8")).toBe(link);
    expect(errors()).not.toContain("so Patchbay opens in the browser");
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(existsSync(join(folder, "home", "gateway.json"))).toBe(false);
  });

  test.runIf(process.platform === "linux")(
    "without a display says so in one sentence and goes to the browser",
    async () => {
      const { child, errors } = run();
      await printedLink(child);
      const sentence = "No display was found for a desktop window, so Patchbay opens in the browser.";
      expect(
        errors()
          .split("\n")
          .filter((line) => line.includes("opens in the browser")),
      ).toEqual([sentence]);
    },
  );
});
