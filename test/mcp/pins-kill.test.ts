import { fork } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { pinsIn, plugin, toolsOf } from "./pins-world.ts";

const RUNS = Number(process.env.PATCHBAY_KILL_RUNS ?? 6);

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "patchbay-pins-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Runs the writer, kills it at a random moment after so many rounds, and answers the last that it told of. */
async function writeAndKill(from: number, rounds: number): Promise<number> {
  const child = fork(join(import.meta.dirname, "pins-writer.ts"), [home, String(from)], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  let last = from;
  let told = 0;
  child.on("message", ({ round }: { round: number }) => {
    last = round;
    told += 1;
    if (told === rounds) setTimeout(() => child.kill("SIGKILL"), Math.random() * 30);
  });
  expect(await new Promise((resolve) => child.on("exit", (_code, signal) => resolve(signal)))).toBe(
    "SIGKILL",
  );
  return last;
}

test(`after kill -9 while pins are written, ${RUNS} times, what was accepted is agreed to and the rest is held`, {
  timeout: 60_000 + RUNS * 15_000,
}, async () => {
  let round = 0;
  for (let run = 0; run < RUNS; run += 1) {
    round = await writeAndKill(round, 2 + Math.floor(Math.random() * 6));
    const { pins, notices } = pinsIn(home);
    // Nothing that was accepted asks again, and nobody else seems to have changed the file.
    expect(pins.heldOf(plugin, pins.hear(plugin, toolsOf(String(round))))?.size).toBe(0);
    const other = pins.hear(plugin, toolsOf(`${round} of somebody else`));
    expect(pins.heldOf(plugin, other)?.size).toBe(20);
    expect(notices.map(({ code }) => code)).toEqual(["TOOL_HELD"]);
    pins.hear(plugin, toolsOf(String(round)));
    await pins.close();
    round += 1;
  }
});

test("where somebody else changed the file, nothing that is said counts as agreed to", async () => {
  const first = pinsIn(home);
  first.pins.hear(plugin, toolsOf("1"));
  await first.pins.close();
  const file = join(home, "pins.json");
  await writeFile(file, (await readFile(file, "utf8")).replaceAll("in round 1.", "in round 2."));

  const { pins, notices } = pinsIn(home);
  const said = pins.hear(plugin, toolsOf("2"));
  expect(pins.heldOf(plugin, said)?.size).toBe(20);
  expect(pins.toLookAt("notes")).toBe(20);
  expect(notices.map(({ code }) => code)).toContain("STATE_TAMPERED");
  await pins.close();
});

test("a file that cannot be read is put aside, and nothing counts as agreed to where no good copy is left", async () => {
  const first = pinsIn(home);
  first.pins.hear(plugin, toolsOf("1"));
  await first.pins.close();
  await writeFile(join(home, "pins.json"), "{ torn");
  const { pins, notices } = pinsIn(home);
  expect(notices.map(({ code }) => code)).toContain("STATE_FILE_DAMAGED");
  expect(pins.heldOf(plugin, pins.hear(plugin, toolsOf("2")))?.size).toBe(20);
  await pins.close();
});
