import { afterEach, describe, expect, test } from "vitest";
import { closePlugins, openPlugin } from "./dirge-plugin.ts";

afterEach(closePlugins);

const note = (plugin: { logs: string[] }) => plugin.logs;

describe("the files of a plugin", () => {
  test("are loaded by name, in one environment, folders inside left out", async () => {
    const plugin = await openPlugin({
      files: {
        "b.janet": '(print "b sees " first-file)',
        "a.janet": '(def first-file "a") (print "a")',
        "notes.txt": "no source",
      },
    });
    expect(note(plugin)).toEqual(["stdout info: a", "stdout info: b sees a"]);
  });

  test.each([
    [
      "(defn on-tool-start [ctx] (if false (not-there 1)))",
      3,
      "unknown symbol not-there",
      "(defn on-tool-start",
    ],
    ['(harness/notify "x"', 3, "unexpected end of source, ( opened at line 3, column 1", null],
    ['(error "at once")', 3, "at once", '(error "at once")'],
    ["(os/exit 0)", 3, "os/exit is not allowed in a plugin", "(os/exit 0)"],
    ["(string/find 1)", 3, "string/find", "(string/find 1)"],
  ])("%s stops the start with file, line and form", async (form, line, said, shown) => {
    const source = `# a comment\n(def fine 1)\n${form}\n`;
    const opening = openPlugin({ files: { "main.janet": source } });
    const code = shown === null ? "MANIFEST_INVALID" : "START_FAILED";
    await expect(opening).rejects.toMatchObject({
      code,
      message: expect.stringContaining(shown === null ? `main.janet, line ` : `main.janet, line ${line}: `),
    });
    const error: Error = await opening.catch((reason) => reason);
    expect(error.message).toContain(said);
    if (shown !== null) expect(error.message).toContain(shown);
  });

  test("the line of an error is that inside of the file where it arose", async () => {
    await expect(
      openPlugin("(defn helper [x]\n  (+ x nil))\n\n(def a\n  (helper 1))\n"),
    ).rejects.toMatchObject({ details: { file: "main.janet", line: 2 } });
  });
});

describe("hooks are found by their names", () => {
  test.each([
    ["(defn on-tool-start [ctx] nil)", ["tool.before@v1"]],
    ["(defn plugin-on-tool-start [ctx] nil)", ["tool.before@v1"]],
    ["(defn other-on-tool-start [ctx] nil)", []],
    ['(def on-tool-start "no function")', []],
    ["(defn on-nonsense [ctx] nil)", []],
    ["(var on-complete (fn [ctx] nil))", ["run.end@v1"]],
    ["(def hooks [:on-tool-start])", []],
  ])("%s", async (source, events) => {
    const plugin = await openPlugin(source);
    expect(plugin.instance.contributions.hooks.map(({ event }) => event)).toEqual(events);
  });

  test("the one with the plugin's name wins over the bare one", async () => {
    const plugin = await openPlugin(`
      (defn on-complete [ctx] (harness/notify "bare"))
      (defn plugin-on-complete [ctx] (harness/notify "named"))`);
    await plugin.fire("run.end@v1");
    expect(plugin.effects).toEqual([{ kind: "notify", level: "info", text: "named" }]);
  });
});

test("state in variables lives from call to call, and a plugin may shadow what Janet has without harm to the host", async () => {
  const plugin = await openPlugin(`
    (defn get-in [& args] :mine) (defn find [& args] :mine)
    (var count 0)
    (defn on-complete [ctx] (++ count) (harness/notify (string count (get-in ctx [:a]))))`);
  await plugin.fire("run.end@v1");
  await plugin.fire("run.end@v1");
  expect(plugin.effects.map((effect) => effect.kind === "notify" && effect.text)).toEqual(["1mine", "2mine"]);
});

test("plugin-config is there while the plugin loads, and nil later", async () => {
  const plugin = await openPlugin({
    files: {
      "a.janet": `
        (def config (harness/plugin-config))
        (print (config :enabled) (config :auto-start))
        (defn on-complete [ctx] (harness/notify (string/format "%q" (harness/plugin-config))))`,
    },
    config: { autoStart: true },
  });
  await plugin.fire("run.end@v1");
  expect(plugin.logs).toEqual(["stdout info: truetrue"]);
  expect(plugin.effects).toEqual([{ kind: "notify", level: "info", text: "nil" }]);
});

const names = `
  harness/log harness/get-cwd harness/has-symbol? harness/plugin-config harness/json-extract harness/compress-bundle
  harness-response harness-current-tool-call harness/store-response harness/replace-prompt harness/request-prompt
  harness/append-system-prompt harness/replace-context harness/rewrite-message harness/set-compact-summary harness/block
  harness/mutate-input harness/replace-result harness/set-next-model harness/set-next-thinking-level
  harness/request-stop-after-turn harness/add-steering harness/add-followup harness/notify harness/append-entry
  harness/register-renderer harness/render harness/add-custom-message harness/register-message-renderer
  harness/register-command harness/register-tool harness/emit-tool-progress harness/register-shortcut harness/bind-key
  harness/register-provider harness/confirm harness/select harness/set-label harness/fork harness/navigate-tree
  harness/new-session harness/switch-session harness/lsp? harness/lsp harness/lsp-definition harness/lsp-references
  harness/lsp-hover harness/lsp-implementation harness/lsp-incoming-calls harness/lsp-outgoing-calls
  harness/lsp-document-symbols harness/lsp-workspace-symbols harness/lsp-diagnostics harness/record-entity
  harness/record-relation harness/computer-use-exec harness/check-computer-action harness/set-computer-use-deny-tools
  harness/sanitize-hook-err harness/push-hook-err dap/launch dap/launch-module dap/attach dap/step dap/step-in dap/step-out
  dap/continue dap/bp dap/eval dap/stack-trace dap/threads dap/terminate dap/sessions dap/vars dap/available?
  dap/session-active? harness/tools? harness/list-tools harness/call-tool harness/json-decode harness/http-post vigil/live?
  vigil/emit vigil/list vigil/set-state vigil/get json/encode json/decode os/exit os/proc-kill os/sigaction`
  .trim()
  .split(/\s+/);

test("every name that plugins of dirge use is bound", async () => {
  const plugin = await openPlugin(`(each f [${names.join(" ")}] f) (print "all there")`);
  expect(plugin.logs).toEqual(["stdout info: all there"]);
});

test.each([
  ["(harness/lsp?)", "false"],
  ['(harness/lsp-hover "a.ts" 1 1)', "nil"],
  ["(dap/available?)", "false"],
  ['(dap/launch "x")', "nil"],
  ["(vigil/live?)", "false"],
  ["(harness/tools?)", "false"],
  ['(harness/call-tool "bash" "{}")', "nil"],
  ['(harness/json-extract "{\\"a\\": \\"b\\", \\"n\\": 1}" "a")', '"b"'],
  ['(harness/json-extract "{\\"n\\": 1}" "n")', "nil"],
  ['(harness/json-extract "no" "n")', "nil"],
  ['(harness/json-decode "[1, null]")', "@[1 :null]"],
  ['((json/decode "{\\"a\\": [true]}" true) :a)', "@[true]"],
  ['(string (json/encode @{:a [1 nil "ü"]}))', '"{\\"a\\":[1,null,\\"\\xC3\\xBC\\"]}"'],
  ['(harness/has-symbol? "map")', "true"],
  ['(harness/has-symbol? "no-such-thing")', "false"],
  ['(harness/sanitize-hook-err "a\\tb\\nc")', '"a b | c"'],
  ['(harness/compress-bundle "b \\n\\n\\nb\\na" "about a")', '"b\\n\\na"'],
  ["(try (os/exit 1) ([err] err))", '"os/exit is not allowed in a plugin"'],
  ['(try (harness/lsp-hover "a.ts" 0 1) ([err] :raised))', ":raised"],
  ['(os/getenv "NODE_CHANNEL_FD")', "nil"],
])("%s is %s", async (code, value) => {
  const plugin = await openPlugin(`(printf "%j" ${code})`);
  expect(plugin.logs).toEqual([`stdout info: ${value}`]);
});

describe("language servers", () => {
  const answers = {
    has: async () => true,
    ask: async (question: { operation: string; file: string }) => {
      if (question.operation === "nonsense") throw new Error("There is no such question.");
      return question.operation === "hover" ? null : [question];
    },
  };
  test.each([
    ["(harness/lsp?)", "true"],
    [
      '(harness/lsp-definition "a.ts" 3 4)',
      '"[{\\"operation\\":\\"definition\\",\\"file\\":\\"a.ts\\",\\"line\\":3,\\"character\\":4}]"',
    ],
    [
      '(harness/lsp-workspace-symbols "a.ts" "x")',
      '"[{\\"operation\\":\\"workspaceSymbol\\",\\"file\\":\\"a.ts\\",\\"query\\":\\"x\\"}]"',
    ],
    ['(harness/lsp "diagnostics" "a.ts")', '"[{\\"operation\\":\\"diagnostics\\",\\"file\\":\\"a.ts\\"}]"'],
    ['(harness/lsp-hover "a.ts" 1 1)', "nil"],
    ['(harness/lsp :nonsense "a.ts")', '"{\\"error\\":\\"There is no such question.\\"}"'],
    ['(try (harness/lsp-references "a.ts" -1 1) ([err] :raised))', ":raised"],
  ])("%s is %s", async (code, value) => {
    const plugin = await openPlugin({ files: { "a.janet": `(printf "%j" ${code})` }, code: answers });
    expect(plugin.logs).toEqual([`stdout info: ${value}`]);
  });
});
