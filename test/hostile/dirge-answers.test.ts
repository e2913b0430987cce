import { afterEach, describe, expect, test, vi } from "vitest";
import { closePlugins, openPlugin } from "../dirge/dirge-plugin.ts";

afterEach(closePlugins);

const before = { toolCallId: "c", toolName: "shell", args: { command: "ls" }, caller: null };

describe("what the check of a tool call answers", () => {
  test.each([
    ["no JSON", '"{command"'],
    ["no object", '"[1]"'],
    ["a number", '"1e999"'],
  ])("%s leaves the arguments as they are", async (_, text) => {
    const plugin = await openPlugin(`(defn on-tool-start [ctx] (harness/mutate-input ${text}))`);
    expect(await plugin.fire("tool.before@v1", before)).toEqual({ allow: true });
  });

  test("names that objects have already are no more than names", async () => {
    const json = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"command":"id"}';
    const plugin = await openPlugin(
      `(defn on-tool-start [ctx] (harness/mutate-input ${JSON.stringify(json)}))`,
    );
    const answer = (await plugin.fire("tool.before@v1", before)) as { payload: { args: object } };
    expect(Object.getPrototypeOf(answer.payload.args)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each([
    ["a hundred megabytes", '(string `{"command":"` (string/repeat "x" 100000000) `"}`)'],
    ["a nesting without bound", '(string (string/repeat `{"a":` 100000) "1" (string/repeat "}" 100000))'],
  ])(
    "%s does not let the call through unchecked, and what comes after is checked",
    async (_, text) => {
      const plugin = await openPlugin(
        `(var first true)
       (defn on-tool-start [ctx] (if first (do (set first false) (harness/mutate-input ${text})) (harness/block "no")))`,
      );
      const answer = await plugin.fire("tool.before@v1", before).catch((error) => error);
      expect(answer).not.toMatchObject({ payload: expect.anything() });
      expect(await plugin.fire("tool.before@v1", before)).toEqual({ allow: false, reason: "no" });
    },
    30_000,
  );

  test("an error whose value is a circle, or a fiber, is told as text and blocks", async () => {
    const plugin = await openPlugin(
      "(defn on-tool-start [ctx] (def t @{}) (put t :t t) (put t :f (fiber/current)) (error t))",
    );
    const answer = await plugin.fire("tool.before@v1", before).catch((error) => error);
    expect(answer).toMatchObject({ code: "HOOK_FAILED" });
  });
});

test("a loop where the engine cannot pause is ended at its limit all the same", async () => {
  const plugin = await openPlugin(`
    (def trap (table/setproto @{} @{:+ (fn [& _] (while true))}))
    (defn on-tool-start [ctx] (+ trap 1))
    (defn on-tool-end [ctx] (harness/replace-result "alive"))`);
  const answer = await plugin.fire("tool.before@v1", before).catch((error) => error);
  expect(answer).toMatchObject({ code: "HOOK_FAILED" });
  const result = { ...before, content: [{ type: "text", text: "x" }], isError: false, durationMs: 1 };
  expect(await plugin.fire("tool.result@v1", result)).toMatchObject({ content: [{ text: "alive" }] });
}, 20_000);

test("dialogs in a loop are asked one after the other, and end with the answers", async () => {
  const plugin = await openPlugin(`
    (defn go [args] (for i 0 3 (harness/confirm "\\e[2JPatchbay\\u202e" (string/repeat "x" 1000))) "done")
    (harness/register-command "go" "go")`);
  const going = plugin.command("go");
  for (let count = 1; count <= 3; count += 1) {
    await vi.waitFor(() => expect(plugin.questions).toHaveLength(count));
    plugin.questions[count - 1]?.answer(true);
  }
  expect(await going).toBe("done");
});

test("a question of megabytes is nobody's, and the plugin goes on", async () => {
  const plugin = await openPlugin(`
    (defn go [args] (string (harness/confirm "a" (string/repeat "x" 20000000))))
    (harness/register-command "go" "go")`);
  expect(await plugin.command("go")).toBe("false");
  expect(plugin.questions).toEqual([]);
});
