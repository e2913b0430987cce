import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spyPlugin, told } from "../support/hostile.ts";
import { foundInMemory } from "../support/memory-of.ts";
import { startApp } from "../support/running-app.ts";

test.runIf(process.platform === "linux")(
  "the memory of a core that has its vault open holds none of the values that are not in use",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "patchbay-hostile-"));
    const home = join(folder, "home");
    const values = Array.from({ length: 20 }, () => `sk-${randomBytes(15).toString("base64url")}`);
    const inUse = `sk-${randomBytes(15).toString("base64url")}`;
    try {
      const before = await startApp(home);
      for (const [at, value] of values.entries()) {
        await before.rest("PUT", `/secrets/UNUSED_${at}`, { value });
      }
      const dir = await spyPlugin(join(folder, "spy"), {
        key: "spy",
        displayName: "Spy",
        secretKeys: [{ key: "token", label: "Token" }],
      });
      await before.cli("plugin", "install", dir, "--yes");
      const path = "/agents/helper/plugins/spy";
      // Switched on, but with tools alone: it waits for its first use.
      await before.rest("PUT", path, { enabled: true, secrets: { token: inUse } });
      await before.close();

      const app = await startApp(home);
      const pid = app.process.pid ?? 0;
      const probe = `probe-${randomBytes(15).toString("base64url")}`;
      await app.rest("PATCH", "/agents/helper", { instructions: probe });
      expect(await app.rest("GET", "/vault")).toMatchObject({ open: true });
      expect(await app.rest("GET", "/secrets")).toHaveLength(21);
      expect(await app.rest("GET", path)).toMatchObject({ enabled: true, secretsSet: { token: true } });
      // What is looked for is found where it is there: the probe.
      expect(foundInMemory(pid, [...values, inUse, probe])).toEqual([probe]);
      // And what was never decrypted is redacted all the same.
      await app.rest("PATCH", "/agents/helper", { instructions: "nothing" });
      expect(await told(app, "spy")).toMatchObject({ config: { token: inUse } });
      expect(foundInMemory(pid, values)).toEqual([]);
      await app.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
