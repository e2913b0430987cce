import { afterEach, describe, expect, test } from "vitest";
import { closePlugins, openPlugin } from "./dirge-plugin.ts";

afterEach(closePlugins);

const shell = (command: string, more: Record<string, unknown> = {}) => ({
  toolCallId: "c1",
  toolName: "shell",
  args: { command },
  caller: { kind: "owner" },
  ...more,
});

describe("on-tool-start", () => {
  test("blocks a call with its reason", async () => {
    const plugin = await openPlugin(`
      (defn on-tool-start [ctx]
        (when (= (ctx :tool) "bash")
          (harness/block (string "no shell today: " (ctx :args)))))`);
    expect(await plugin.fire("tool.before@v1", shell("ls"))).toEqual({
      allow: false,
      reason: 'no shell today: {"command":"ls"}',
    });
    expect(await plugin.fire("tool.before@v1", { ...shell("ls"), toolName: "read_file" })).toEqual({
      allow: true,
    });
  });
});
