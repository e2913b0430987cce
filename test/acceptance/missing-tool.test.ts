import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePlugin } from "../support/fixture-plugin.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

describe("a tool that is not there", () => {
  let root: string;
  let app: RunningApp;
  const call = (name: string) =>
    app.rest("POST", `/agents/helper/tools/${name}/call`, { input: { text: "x" }, yes: true });

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "patchbay-missing-"));
    app = await startApp(join(root, "home"));
    const resting = await writePlugin(join(root, "resting"), { key: "resting" });
    const picky = await writePlugin(join(root, "picky"), {
      key: "picky",
      manifest: { parseConfig: "REFUSES" },
    });
    const source = await readFile(join(picky, "index.js"), "utf8");
    await writeFile(
      join(picky, "index.js"),
      source.replace('"REFUSES"', '() => { throw new Error("The city is missing."); }'),
    );
    for (const folder of [resting, picky]) await app.cli("plugin", "install", folder, "--yes");
    await app.cli("plugin", "enable", "picky", "--agent", "helper").catch(() => undefined);
  });

  afterAll(async () => {
    await app.close();
    await rm(root, { recursive: true, force: true });
  });

  it("says which switch is off", async () => {
    await app.cli("plugin", "disable", "resting", "--agent", "helper");
    expect(await call("resting__echo")).toMatchObject({
      code: "PLUGIN_NOT_RUNNING",
      help: "Switch Echo on.",
    });
  });

  it("says why its plugin did not start", async () => {
    expect(await call("picky__echo")).toMatchObject({
      code: "CONFIG_REFUSED",
      message: expect.stringContaining("The city is missing."),
    });
  });

  it("says that nobody has it, when nobody has", async () => {
    expect(await call("nobody__echo")).toMatchObject({ code: "TOOL_NOT_FOUND" });
  });
});
