import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { closePlugins, openPlugin } from "./dirge-plugin.ts";

afterEach(closePlugins);

const shell = (command: string, more: Record<string, unknown> = {}) => ({
  toolCallId: "c1",
  toolName: "shell",
  args: { command },
  caller: { kind: "owner" },
  ...more,
});
const result = (text: string, more: Record<string, unknown> = {}) => ({
  ...shell("ls -l"),
  content: [{ type: "text", text }],
  isError: false,
  durationMs: 3,
  ...more,
});
const safety = readFileSync("test/fixtures/dirge/plugins/safety.janet", "utf8");

describe("on-tool-start", () => {
  test("blocks a call with its reason, and is told the tool by dirge's name and the arguments as JSON text", async () => {
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

  test("rewrites the arguments; the last write counts, and a block beats it", async () => {
    const plugin = await openPlugin(`
      (defn on-tool-start [ctx]
        (harness/mutate-input "{\\"command\\": \\"first\\"}")
        (harness/mutate-input "{\\"command\\": \\"echo safe\\"}")
        (if (string/find "danger" (ctx :args)) (harness/block "too dangerous")))`);
    expect(await plugin.fire("tool.before@v1", shell("ls"))).toEqual({
      allow: true,
      payload: { args: { command: "echo safe" } },
    });
    expect(await plugin.fire("tool.before@v1", shell("danger"))).toEqual({
      allow: false,
      reason: "too dangerous",
    });
  });

  test.each(["no json", "[1]", '"text"'])("leaves the arguments when the new ones are %s", async (json) => {
    const plugin = await openPlugin(
      `(defn on-tool-start [ctx] (harness/mutate-input ${JSON.stringify(json)}))`,
    );
    expect(await plugin.fire("tool.before@v1", shell("ls"))).toEqual({ allow: true });
  });

  test("does not take a reason that is no string, and a return value means nothing", async () => {
    const plugin = await openPlugin("(defn on-tool-start [ctx] (harness/block 42) :blocked)");
    expect(await plugin.fire("tool.before@v1", shell("ls"))).toEqual({ allow: true });
  });

  test("keeps nothing from one call to the next", async () => {
    const plugin = await openPlugin(`
      (var calls 0)
      (defn on-tool-start [ctx] (if (= 1 (++ calls)) (harness/block "only once")))`);
    expect(await plugin.fire("tool.before@v1", shell("ls"))).toMatchObject({ allow: false });
    expect(await plugin.fire("tool.before@v1", shell("ls"))).toEqual({ allow: true });
  });

  test("blocks when it fails, unless the person let it fail open; the error is told once", async () => {
    const source = `(defn on-tool-start [ctx] (error "out of\\torder\\nhere"))`;
    const closed = await openPlugin(source);
    await expect(closed.fire("tool.before@v1", shell("ls"))).rejects.toMatchObject({
      code: "HOOK_FAILED",
      message: "the check of plugin failed (out of\torder\nhere)",
    });
    expect(closed.effects).toEqual([
      {
        kind: "notify",
        level: "error",
        text: "The hook on-tool-start (on-tool-start) failed: out of order | here",
      },
    ]);
    const open = await openPlugin({ files: { "a.janet": source }, config: { guards: "allow" } });
    expect(await open.fire("tool.before@v1", shell("ls"))).toEqual({ allow: true });
    expect(open.instance.contributions.hooks[0]?.failureMode).toBe("skip");
    expect(closed.instance.contributions.hooks[0]?.failureMode).toBe("fail");
  });

  test("has what it left before it failed taken all the same", async () => {
    const plugin = await openPlugin({
      files: {
        "a.janet": `(defn on-tool-start [ctx] (harness/notify "first") (harness/block "no") (error "late"))`,
      },
      config: { guards: "allow" },
    });
    expect(await plugin.fire("tool.before@v1", shell("ls"))).toEqual({ allow: false, reason: "no" });
    expect(plugin.effects.map((effect) => effect.kind === "notify" && effect.text)).toEqual([
      "first",
      "The hook on-tool-start (on-tool-start) failed: late",
    ]);
  });

  test("tells an error that comes again only by its number, when a call went well", async () => {
    const plugin = await openPlugin({
      files: { "a.janet": `(defn on-tool-start [ctx] (if (string/find "bad" (ctx :args)) (error "bad")))` },
      config: { guards: "allow" },
    });
    for (const command of ["bad", "bad", "bad", "good", "good"])
      await plugin.fire("tool.before@v1", shell(command));
    expect(plugin.effects.map((effect) => effect.kind === "notify" && effect.text)).toEqual([
      "The hook on-tool-start (on-tool-start) failed: bad",
      "… (repeated 2 times)",
    ]);
  });

  test("sees the final arguments when another plugin changed them", async () => {
    const plugin = await openPlugin(safety);
    const asked = plugin.fire("tool.before@v1", shell("rm -r x", { final: true }));
    await vi.waitFor(() => expect(plugin.questions).toHaveLength(1));
    plugin.questions[0]?.answer(true);
    expect(await asked).toEqual({ allow: true });
  });
});

describe("the safety example", () => {
  test("asks before rm, and does what the person says", async () => {
    const plugin = await openPlugin(safety);
    expect(await plugin.fire("tool.before@v1", shell("ls -l"))).toEqual({ allow: true });
    expect(plugin.questions).toEqual([]);
    const refused = plugin.fire("tool.before@v1", shell("rm -rf build"));
    await vi.waitFor(() => expect(plugin.questions).toHaveLength(1));
    expect(plugin.questions[0]?.question).toEqual({
      kind: "confirm",
      message: "Remove files?\n\nThe agent wants to run: rm -rf build",
    });
    plugin.questions[0]?.answer(false);
    expect(await refused).toEqual({ allow: false, reason: "not confirmed: rm -rf build" });
    const allowed = plugin.fire("tool.before@v1", shell("rm -rf build"));
    await vi.waitFor(() => expect(plugin.questions).toHaveLength(2));
    plugin.questions[1]?.answer(true);
    expect(await allowed).toEqual({ allow: true });
    const unanswered = plugin.fire("tool.before@v1", shell("rm -rf build"));
    await vi.waitFor(() => expect(plugin.questions).toHaveLength(3));
    plugin.questions[2]?.answer(null);
    expect(await unanswered).toMatchObject({ allow: false });
  });

  test("waits for the person while other calls of the same plugin go on", async () => {
    const plugin = await openPlugin(`${safety}
      (defn on-tool-end [ctx] (harness/replace-result (string "seen " (ctx :output))))`);
    const waiting = plugin.fire("tool.before@v1", shell("rm x"));
    await vi.waitFor(() => expect(plugin.questions).toHaveLength(1));
    expect(await plugin.fire("tool.before@v1", shell("ls"))).toEqual({ allow: true });
    expect(await plugin.fire("tool.result@v1", result("a"))).toEqual({
      content: [{ type: "text", text: "seen a" }],
    });
    const second = plugin.fire("tool.before@v1", shell("rm y"));
    await vi.waitFor(() => expect(plugin.questions).toHaveLength(2));
    plugin.questions[1]?.answer(false);
    expect(await second).toEqual({ allow: false, reason: "not confirmed: rm y" });
    plugin.questions[0]?.answer(true);
    expect(await waiting).toEqual({ allow: true });
  });
});

describe("a dialog", () => {
  test("passes through try, map and a generator of the plugin's own", async () => {
    const plugin = await openPlugin(`
      (defn on-tool-start [ctx]
        (def answers
          (seq [answer :in (coro (each name ["a" "b"]
                                   (yield (try (harness/confirm "Sure?" name) ([err] :failed)))))]
            answer))
        (harness/block (string/format "%j" (map |(if $ :yes :no) answers))))`);
    const asked = plugin.fire("tool.before@v1", shell("ls"));
    for (const [at, answer] of [true, false].entries()) {
      await vi.waitFor(() => expect(plugin.questions).toHaveLength(at + 1));
      plugin.questions[at]?.answer(answer);
    }
    expect(await asked).toEqual({ allow: false, reason: "@[:yes :no]" });
  });

  test.each([
    ['(harness/confirm "a" 1)', "false"],
    ["(harness/confirm :a nil)", "false"],
    ['(harness/select "a" [])', "nil"],
    ['(harness/select "a" ["x" 1])', "nil"],
    ['(harness/select "a" "x")', "nil"],
    ['(harness/select nil ["x"])', "nil"],
  ])("is not opened by %s, which is %s", async (code, value) => {
    const plugin = await openPlugin(
      `(defn on-tool-start [ctx] (harness/block (string/format "%q" ${code})))`,
    );
    expect(await plugin.fire("tool.before@v1", shell("ls"))).toEqual({ allow: false, reason: value });
    expect(plugin.questions).toEqual([]);
  });

  test.each([
    ['["red" "green"]', "green", "green"],
    ['@["red" "grün"]', "grün", "grün"],
    ['["red"]', null, "nil"],
  ])("lets the person select of %s: %s", async (options, answer, chosen) => {
    const plugin = await openPlugin(`
      (defn on-tool-start [ctx]
        (def chosen (harness/select "Which?" ${options}))
        (harness/block (if (nil? chosen) "nil" chosen)))`);
    const asked = plugin.fire("tool.before@v1", shell("ls"));
    await vi.waitFor(() => expect(plugin.questions).toHaveLength(1));
    expect(plugin.questions[0]?.question).toMatchObject({ kind: "select", message: "Which?" });
    plugin.questions[0]?.answer(answer);
    expect(await asked).toEqual({ allow: false, reason: chosen });
  });
});

describe("get-in", () => {
  const value = async (code: string) => {
    const plugin = await openPlugin(
      `(defn on-tool-start [ctx] (harness/block (string/format "%j" ${code})))`,
    );
    const args = { command: "ls", deep: { list: [1, { b: "ü" }], nothing: null } };
    const answer = await plugin.fire("tool.before@v1", { ...shell(""), args });
    return (answer as { reason: string }).reason;
  };
  test.each([
    ['(get-in ctx [:args "command"])', '"ls"'],
    ['(get-in ctx [:args "deep" "list" 1 "b"])', '"\\xC3\\xBC"'],
    ['(get-in ctx [:args "deep" "nothing"] :none)', ":none"],
    ['(get-in ctx [:args "missing"] 7)', "7"],
    ['(get-in ctx [:args "missing" "deeper"])', "nil"],
    ["(get-in ctx [:args 0])", "123"],
    ['(get-in {:a {"b" 5}} [:a "b"])', "5"],
    ['(get-in "no json" ["a"] :none)', ":none"],
    ["(get-in [1 [2 3]] [1 0])", "2"],
    ['(get (ctx :args) "command")', "nil"],
  ])("%s is %s", async (code, wanted) => {
    expect(await value(code)).toBe(wanted);
  });
});

describe("on-tool-end", () => {
  test("is told the tool, its output and its command, and replaces the result", async () => {
    const plugin = await openPlugin(`
      (defn on-tool-end [ctx]
        (harness/block "too late") (harness/mutate-input "{}")
        (harness/replace-result (string/format "%s|%s|%s|%q" (ctx :tool) (ctx :output) (ctx :command) (ctx :args))))`);
    expect(await plugin.fire("tool.result@v1", result("two\nlines"))).toEqual({
      content: [{ type: "text", text: "bash|two\nlines|ls -l|nil" }],
    });
    expect(
      await plugin.fire("tool.result@v1", result("x", { args: { path: "p" }, toolName: "other__t" })),
    ).toEqual({
      content: [{ type: "text", text: "other__t|x||nil" }],
    });
  });

  test("keeps pictures beside the text that it replaces, and leaves a result that it does not", async () => {
    const picture = { type: "image", data: "AA==", mimeType: "image/png" };
    const plugin = await openPlugin(
      `(defn on-tool-end [ctx] (if (= "a" (ctx :output)) (harness/replace-result "b")))`,
    );
    const content = [{ type: "text", text: "a" }, picture];
    expect(await plugin.fire("tool.result@v1", result("", { content }))).toEqual({
      content: [{ type: "text", text: "b" }, picture],
    });
    expect(await plugin.fire("tool.result@v1", result("c"))).toBeUndefined();
  });
});
