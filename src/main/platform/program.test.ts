import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { hostEnvironment } from "./host-environment.ts";
import { Program } from "./program.ts";

function run(code: string): Program {
  const program = new Program({
    file: process.execPath,
    args: ["-e", code],
    cwd: tmpdir(),
    env: hostEnvironment(),
    input: false,
  });
  program.stdout.resume();
  program.stderr.resume();
  return program;
}

test("a program that does not end gets the signal after its time, and its caller is told", async () => {
  const program = run("setInterval(() => {}, 1_000)");
  let late = 0;
  program.signalAfter(20, "SIGKILL", () => {
    late += 1;
  });
  expect(await program.ended).toMatchObject({ signal: "SIGKILL" });
  expect(late).toBe(1);
});

test("a program that ends in time leaves no timer behind", async () => {
  const before = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const program = run("");
  program.signalAfter(3_600_000, "SIGKILL", () => expect.unreachable("it has ended"));
  expect(await program.ended).toMatchObject({ code: 0, signal: null });
  await Promise.resolve();
  const after = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  expect(after).toBeLessThanOrEqual(before);
});
