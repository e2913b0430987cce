import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePlugin } from "../support/fixture-plugin.ts";
import { type Bench, openBench } from "./support.ts";

const echo = resolve("test/fixtures/plugins/echo");
const trio = resolve("test/fixtures/plugins/base-trio");

/** Without a running app: each command does its work itself, under the lock. */
describe("patchbay plugin install", () => {
  let bench: Bench;
  const run = (...args: string[]) => bench.patchbay(args);

  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.remove());

  it("wants consent, and says how to give it where nobody can be asked", async () => {
    const ended = await run("plugin", "install", echo);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("--yes");
    expect((await run("plugin", "list", "--json")).json()).toEqual({ plugins: [] });
  });

  it("says what is wrong with a folder that is not there", async () => {
    const ended = await run("plugin", "install", "./nowhere", "--yes", "--json");
    expect(ended.code).toBe(1);
    expect(ended.json()).toMatchObject({ error: { code: "SOURCE_MISSING" } });
  });

  it("takes a bare name for the plugin of Patchbay that has it, and says so", async () => {
    const ended = await run("plugin", "install", "irc");
    expect(ended.stderr).toContain(
      "IRC comes with Patchbay. For the npm package of that name, write irc@latest.",
    );
    expect(ended.stderr).toContain("IRC asks for your consent");
  });

  it("asks whether a near name was meant, and asks no registry for the mistyped one", async () => {
    const ended = await run("plugin", "install", "telegarm", "--yes");
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(
      "Patchbay knows no plugin telegarm. Did you mean Telegram (builtin:telegram)?",
    );
    expect(ended.stderr).toContain("write telegarm@latest");
  });

  it("names the field that a manifest gets wrong", async () => {
    const bad = await writePlugin(join(bench.folder, "bad"), {
      key: "bad",
      manifest: { manifestVersion: 7 },
    });
    const ended = await run("plugin", "install", bad, "--yes", "--json");
    expect(ended.json()).toMatchObject({
      error: { code: "MANIFEST_INVALID", message: expect.stringContaining("manifestVersion") },
    });
  });

  it("shows its phases to a person and ends with what is installed", async () => {
    const ended = await run("plugin", "install", echo, "--yes");
    expect(ended.code).toBe(0);
    for (const phase of ["resolve", "verify", "inspect", "place", "check"])
      expect(ended.stdout).toContain(`✓ ${phase}`);
    expect(ended.stdout).toContain("echo 1.0.0 is installed");
  });

  it("prints nothing but the job with --json", async () => {
    const ended = await run("plugin", "install", trio, "--yes", "--json");
    expect(ended.json()).toMatchObject({ status: "done", pluginKey: "base-trio" });
  });

  it("takes a path that is relative to where it is called", async () => {
    const ended = await bench.patchbay(["plugin", "install", "./echo", "--yes", "--json"], {
      cwd: resolve("test/fixtures/plugins"),
    });
    expect(ended.json()).toMatchObject({ status: "done", pluginKey: "echo" });
  });
});
