import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { forkNodeHost } from "../../src/main/platform/node-host-process.ts";
import { wallReport } from "../../src/main/platform/walls/start.ts";
import { NativeRuntime } from "../../src/main/runtimes/native/native-runtime.ts";
import { hostBundle } from "../support/host-bundle.ts";

const root = resolve(import.meta.dirname, "../..");

test.each(["out/plugins", "e2e/plugins"])(
  "every plugin in %s says in its patchbay.json what its code says",
  async (folder) => {
    const runtime = new NativeRuntime({
      root: "/nowhere",
      platform: { walls: wallReport, forkHost: (options) => forkNodeHost(hostBundle(), options) },
    });
    const names = await readdir(join(root, folder));
    expect(names.length).toBeGreaterThan(4);
    for (const name of names) {
      const artifact = { kind: "folder", dir: join(root, folder, name) } as const;
      const read = await runtime.inspect(artifact);
      expect(read).toMatchObject({ manifestKey: name });
      expect(read).toEqual(await runtime.look(artifact, AbortSignal.timeout(10_000)));
    }
  },
);
