import { beforeEach, expect, it } from "vitest";
import type { AgentPluginState } from "../../contract/agent-plugin.ts";
import { applyChanges, useMirror } from "./mirror.ts";

const row = (key: string, revision: number) =>
  ({ agentId: "a", pluginKey: key, revision }) as AgentPluginState;

beforeEach(() => useMirror.setState({ agentPlugins: new Map(), plugins: new Map() }));

it("applies a batch as one new state, the last value of each row winning", () => {
  let drawn = 0;
  const stop = useMirror.subscribe(() => {
    drawn += 1;
  });
  applyChanges(
    Array.from({ length: 1_000 }, (_, n) => ({
      type: "put",
      collection: "agentPlugins",
      item: row(`k${n % 10}`, n),
    })),
  );
  stop();
  expect(drawn).toBe(1);
  expect(useMirror.getState().agentPlugins.size).toBe(10);
  expect(useMirror.getState().agentPlugins.get("a/k9")?.revision).toBe(999);
});

it("leaves rows and maps that a batch does not name as they are", () => {
  applyChanges([{ type: "put", collection: "agentPlugins", item: row("one", 1) }]);
  const before = useMirror.getState();
  applyChanges([{ type: "put", collection: "agentPlugins", item: row("two", 1) }]);
  expect(useMirror.getState().agentPlugins.get("a/one")).toBe(before.agentPlugins.get("a/one"));
  expect(useMirror.getState().plugins).toBe(before.plugins);
  applyChanges([{ type: "drop", collection: "agentPlugins", id: "a/one" }]);
  expect([...useMirror.getState().agentPlugins.keys()]).toEqual(["a/two"]);
});
