import { expect, test } from "vitest";
import { type ScannedSource, scanSource } from "./scan.ts";

const scan = (text: string, id = "plugin") => scanSource(id, [{ name: "main.janet", text }]);

test("hooks are functions with the name of one, bare or after the plugin's own name", async () => {
  const source = `
    (defn on-prompt [ctx] nil)
    (defn plugin-on-complete [ctx] nil)
    (defn other-on-response [ctx] nil)
    (var on-error (fn [ctx] nil))
    (upscope (defn message-end [ctx] nil))
    (defn helper [] (defn on-init [ctx] nil))
    # (defn on-turn-start [ctx] nil)
    (comment (defn on-turn-end [ctx] nil))`;
  expect((await scan(source)).hooks).toEqual(["on-prompt", "on-error", "message-end", "on-complete"]);
});

test("what is registered under literal names is named, wherever it stands", async () => {
  const source = `
    (defn setup []
      (when true
        (harness/register-tool "a" "" "" "{}" "f")
        (harness/register-command "/go" "f")
        (harness/register-shortcut "ctrl-g" "f")
        (harness/bind-key "ctrl-x u" "undo")
        (harness/register-provider "house" "openai" "http://x")))
    (setup)`;
  expect(await scan(source)).toMatchObject({
    tools: ["a"],
    commands: ["go"],
    shortcuts: ["ctrl-g", "ctrl-x u"],
    providers: ["house"],
    dynamic: false,
  });
});

test.each([
  '(each name names (harness/register-tool name "" "" "{}" "f"))',
  "(def register harness/register-command)",
  '(map |(harness/register-shortcut (string "ctrl-" $) "f") "abc")',
  '(eval-string "(+ 1 2)")',
  "(defn run [form] (eval form))",
])("%s is said to be known only to the code", async (source) => {
  expect(await scan(source)).toMatchObject({ dynamic: true, tools: [], commands: [], shortcuts: [] });
});

const nothing: Partial<ScannedSource> = { reaches: [], hosts: null, variables: [] };
test.each<[string, Partial<ScannedSource>]>([
  ["(def x (+ 1 2))", nothing],
  ['(string "slurp" :os/execute)', nothing],
  ['(slurp "a")', { reaches: ["readFiles"] }],
  ['(spit "a" "b")', { reaches: ["writeFiles"] }],
  ['(file/open "a")', { reaches: ["readFiles"] }],
  ['(file/open "a" :r)', { reaches: ["readFiles"] }],
  ['(file/open "a" :a)', { reaches: ["writeFiles"] }],
  ['(file/open "a" :r+)', { reaches: ["readFiles", "writeFiles"] }],
  ['(file/open "a" mode)', { reaches: ["readFiles", "writeFiles"] }],
  ["(map file/open names)", { reaches: ["readFiles", "writeFiles"] }],
  ['(os/execute ["ls"] :p)', { reaches: ["subprocess"] }],
  ["(if false (os/spawn args :p))", { reaches: ["subprocess"] }],
  ["{:run os/shell}", { reaches: ["subprocess"] }],
  ['(net/connect "api.example.com" "443")', { reaches: ["network"], hosts: ["api.example.com:443"] }],
  ['(net/connect "api.example.com" port)', { reaches: ["network"], hosts: ["api.example.com"] }],
  ["(net/connect host port)", { reaches: ["network"], hosts: null }],
  [
    '(harness/http-post "https://hooks.example.com/x" "")',
    { reaches: ["network"], hosts: ["hooks.example.com"] },
  ],
  ['(do (net/connect "a.example" "1") (net/server host port))', { reaches: ["network"], hosts: null }],
  ['(os/getenv "SLACK_TOKEN")', { reaches: ["environment"], variables: ["SLACK_TOKEN"] }],
  ["(os/getenv name)", { reaches: ["environment"], variables: [] }],
  ['(harness/lsp-hover "a" 1 1)', { reaches: ["readFiles"] }],
])("%s reaches what it names", async (source, wanted) => {
  expect(await scan(source)).toMatchObject(wanted);
});

test.each([
  ["# Keeps notes.\n# And more.\n\n# Not this.\n(def a 1)", "Keeps notes. And more."],
  ["#!/usr/bin/env janet\n## notes.janet\n#\n# Body", "/usr/bin/env janet notes.janet"],
  ["\n\n# ------\n# Title\n(def a 1)", "Title"],
  ["(def a 1) # later", ""],
])("the comment at its beginning describes it: %j", async (source, description) => {
  expect((await scan(source)).description).toBe(description);
});

test.each([
  ["(def a 1", "main.janet, line 1: unexpected end of source, ( opened at line 1, column 1"],
  ["(def a 1)\n)", "main.janet, line 2: unexpected closing delimiter )"],
])("a source that is no Janet says where: %j", async (source, problem) => {
  expect((await scan(source)).problems).toEqual([problem]);
});

test("a source that is nested without bound is read all the same", async () => {
  const deep = `${"(do ".repeat(50_000)}(slurp "a")${")".repeat(50_000)}`;
  expect((await scan(deep)).reaches).toEqual(["readFiles"]);
});
