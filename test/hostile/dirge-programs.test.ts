import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { grantsOf } from "../../src/contract/index.ts";
import { closePlugins, openPlugin } from "../dirge/dirge-plugin.ts";

/** Plugins that may use the workspace and start the program `env`, held by the engine alone: no wall stands here. */
afterEach(closePlugins);

const grants = {
  ...grantsOf({ hosts: [], files: "workspace", programs: true }),
  programs: { reach: "named" as const, names: ["env"] },
};

async function open(code: string) {
  const plugin = await openPlugin({
    files: {
      "a.janet": `(defn go [dir] (os/cd dir) (try (string "ran " ${code}) ([err] (string "refused: " err))))
        (harness/register-command "go" "go")`,
    },
    grants,
  });
  const own = join(plugin.workspace, "env");
  writeFileSync(own, "#!/bin/sh\ntouch ran\n");
  chmodSync(own, 0o755);
  return plugin;
}

test.each([
  '(os/execute ["env"])',
  '(os/execute ["./env"] :p)',
  '(os/execute [(string dir "/env")] :p)',
  '(do (os/setenv "PATH" dir) (os/execute ["env"] :p))',
  '(os/execute ["env"] :pe {"PATH" dir})',
  '(do (os/setenv "LD_PRELOAD" (string dir "/evil.so")) (os/execute ["env"] :p))',
  '(os/shell "true")',
])("%s runs nothing of the plugin's own under the name of what was granted", async (code) => {
  const plugin = await open(code);
  expect(await plugin.command("go", plugin.workspace)).toMatch(/^refused: .*not allowed/);
  expect(existsSync(join(plugin.workspace, "ran"))).toBe(false);
});

test.each(['(os/execute ["env"] :p {:out (file/open "out" :w)})', '(os/execute ["/usr/bin/env"] :p)'])(
  "%s is what was granted",
  async (code) => {
    const plugin = await open(code);
    expect(await plugin.command("go", plugin.workspace)).toBe("ran 0");
  },
);
