import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import jsQR from "jsqr";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Bench, openBench } from "../cli/support.ts";
import { AtTerminal } from "../support/at-terminal.ts";
import { fixturePlugin } from "../support/host-bundle.ts";
import { PhoneSimulator } from "../support/phone.ts";

let bench: Bench;
let phone: PhoneSimulator;

beforeEach(async () => {
  bench = await openBench();
  phone = await PhoneSimulator.open();
  const { code, stdout, stderr } = await bench.patchbay([
    "plugin",
    "install",
    fixturePlugin("phone"),
    "--yes",
  ]);
  expect(`${code} ${stdout} ${stderr}`).toMatch(/^0 /);
});
afterEach(async () => {
  await bench.remove();
  await phone.close();
});

test("a QR code is drawn in the terminal as a phone reads it, and scanning it ends the command", async () => {
  const args = ["plugin", "setup", "phone", "--agent", "helper", "--set", `service=${phone.url}`];
  const child = spawn(process.execPath, [resolve("bin/patchbay"), ...args], {
    env: { ...process.env, NO_COLOR: "1", PATCHBAY_HOME: bench.home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  let shown = "";
  let scanned = false;
  child.stderr.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
    if (scanned || !shown.includes("Or type this code: CODE-1")) return;
    scanned = true;
    phone.scan();
  });
  expect(await exited).toEqual([0, null]);
  expect(readQr(shown)).toBe(phone.qrOf(1));
  expect(shown).toContain(`Connected as ${phone.account}`);
  const list = await bench.patchbay(["--json", "secret", "list"]);
  expect(list.json<{ name: string }[]>().map(({ name }) => name)).toContain("PHONE_SESSION_TOKEN");
});

test.skipIf(process.platform === "win32")(
  "a person at the terminal is asked, what is needed twice, and one Ctrl+C ends the setup",
  async () => {
    await using person = new AtTerminal([
      process.execPath,
      resolve("bin/patchbay"),
      ...["--home", bench.home, "plugin", "setup", "phone", "--agent", "helper"],
    ]);
    await person.sees("Address:");
    person.types("\r");
    await person.sees("This is needed.");
    await person.sees("Address:");
    person.types("\u0003");
    expect(await person.ended).toEqual({ code: 130, lines: true, echo: true });
    const row = await bench.patchbay(["plugin", "list", "--agent", "helper", "--json"]);
    expect(row.stdout).not.toContain('"enabled": true');
  },
);

test("a setup that fails is an exit of 1 with its reason", async () => {
  phone.failures = ["500"];
  const { code, stderr } = await bench.patchbay([
    "plugin",
    "setup",
    "phone",
    "--agent",
    "helper",
    "--set",
    `service=${phone.url}`,
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain("The service answered 500.");
});

test("secrets are backed up and restored", async () => {
  const file = join(bench.folder, "secrets.backup");
  await bench.patchbay(["secret", "set", "TOKEN"], { input: "the-value" });
  const backup = await bench.patchbay(["secret", "backup", file], { input: "a long passphrase" });
  expect(backup.code).toBe(0);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, "utf8")).not.toContain("the-value");
  await bench.patchbay(["secret", "remove", "TOKEN"]);
  const restored = await bench.patchbay(["--json", "secret", "restore", file], {
    input: "a long passphrase",
  });
  expect(restored.json()).toEqual({ stored: ["TOKEN"], kept: [] });
  const wrong = await bench.patchbay(["--json", "secret", "restore", file], { input: "another passphrase" });
  expect(wrong.json()).toMatchObject({ error: { code: "BACKUP_INVALID" } });
});

/** Reads the drawn code: two rows of modules in each line of half blocks, drawn light on dark. */
function readQr(text: string): string | undefined {
  const lines = text.split("\n").filter((line) => /^[█▀▄ ]{20,}$/.test(line));
  const width = Math.max(...lines.map((line) => line.length));
  const rows = lines.flatMap((line) => {
    const cells = [...line.padEnd(width)];
    return [cells.map((cell) => "█▀".includes(cell)), cells.map((cell) => "█▄".includes(cell))];
  });
  const scale = 4;
  const size = { width: width * scale, height: rows.length * scale };
  const pixels = new Uint8ClampedArray(size.width * size.height * 4).fill(255);
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      const light = rows[Math.floor(y / scale)]?.[Math.floor(x / scale)] === true;
      pixels.fill(light ? 255 : 0, (y * size.width + x) * 4, (y * size.width + x) * 4 + 3);
    }
  }
  return jsQR(pixels, size.width, size.height)?.data;
}
