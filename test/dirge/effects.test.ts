import { afterEach, describe, expect, test } from "vitest";
import { closePlugins, openPlugin } from "./dirge-plugin.ts";

afterEach(closePlugins);

/** What a command whose function has this body asks for. */
async function effectsOf(body: string, before = "") {
  const plugin = await openPlugin(`${before}
    (defn run [args] ${body})
    (harness/register-command "go" "run")`);
  const text = await plugin.command("go");
  return { effects: plugin.effects, text, logs: plugin.logs };
}

test.each([
  ['(harness/set-next-model "small")', [{ kind: "nextModel", model: "small" }]],
  ['(harness/set-next-thinking-level "low")', [{ kind: "thinkingLevel", level: "low" }]],
  ["(harness/set-next-thinking-level :xhigh)", [{ kind: "thinkingLevel", level: "xhigh" }]],
  ['(harness/set-next-thinking-level "none")', []],
  ["(harness/request-stop-after-turn)", [{ kind: "stopAfterTurn" }]],
  ['(harness/add-steering "left")', [{ kind: "steer", text: "left" }]],
  ['(harness/add-followup "then")', [{ kind: "followUp", text: "then" }]],
  ['(do (harness/request-prompt "a") (harness/request-prompt "b"))', [{ kind: "run", text: "b" }]],
  ['(harness/notify "two\\nlines")', [{ kind: "notify", level: "info", text: "two\nlines" }]],
  ['(harness/notify "w" :warn)', [{ kind: "notify", level: "warn", text: "w" }]],
  ['(harness/notify "e" "error")', [{ kind: "notify", level: "error", text: "e" }]],
  ['(harness/notify "i" :loud)', [{ kind: "notify", level: "info", text: "i" }]],
  ["(harness/notify 42)", []],
  ['(harness/notify @"buffer")', []],
  ['(harness/append-entry "todo" "text")', [{ kind: "entry", type: "todo", data: "text", display: true }]],
  [
    '(harness/append-entry "todo" @{:open [1 "ü" :k] "b" nil} false)',
    [{ kind: "entry", type: "todo", data: { open: [1, "ü", "k"] }, display: false }],
  ],
  ['(harness/add-custom-message "hello")', [{ kind: "customMessage", content: "hello", display: true }]],
  [
    '(harness/add-custom-message "card" "hello")',
    [{ kind: "customMessage", type: "card", content: "hello", display: true }],
  ],
  [
    '(harness/add-custom-message "card" "hello" false)',
    [{ kind: "customMessage", type: "card", content: "hello", display: false }],
  ],
  [
    '(harness/set-label "e1" "start")',
    [{ kind: "session", request: { op: "label", id: "e1", label: "start" } }],
  ],
  ['(harness/set-label "e1" nil)', [{ kind: "session", request: { op: "label", id: "e1", label: null } }]],
  ['(harness/fork "e1")', [{ kind: "session", request: { op: "fork", id: "e1", position: "before" } }]],
  ['(harness/fork "e1" :at)', [{ kind: "session", request: { op: "fork", id: "e1", position: "at" } }]],
  ['(harness/navigate-tree "e1")', [{ kind: "session", request: { op: "navigate", id: "e1" } }]],
  ["(harness/new-session)", [{ kind: "session", request: { op: "new" } }]],
  ['(harness/new-session "s0")', [{ kind: "session", request: { op: "new", parent: "s0" } }]],
  ['(harness/switch-session "abc")', [{ kind: "session", request: { op: "switch", prefix: "abc" } }]],
])("%s", async (code, wanted) => {
  const { effects, text } = await effectsOf(code);
  expect(effects).toEqual(wanted);
  expect(text, "it returns nil").toBe("");
});

describe("a renderer", () => {
  test("draws the entries of its type with the lines that it renders", async () => {
    const { effects } = await effectsOf(
      `(harness/append-entry "todo" "milk") (harness/append-entry "other" "x") (harness/append-entry "todo" "hidden" false)`,
      `(defn draw [data]
         (harness/render "green" (string "- " data))
         (harness/render :gray "grey") (harness/render 'darkRed "red") (harness/render "mauve" "?") (harness/render "red" 5)
         "not a line")
       (harness/register-renderer "todo" "draw")`,
    );
    expect(effects).toEqual([
      {
        kind: "entry",
        type: "todo",
        data: "milk",
        display: true,
        lines: [
          { color: "green", text: "- milk" },
          { color: "grey", text: "grey" },
          { color: "darkred", text: "red" },
          { color: "darkgrey", text: "?" },
        ],
      },
      { kind: "entry", type: "other", data: "x", display: true },
      { kind: "entry", type: "todo", data: "hidden", display: false },
    ]);
  });

  test("that fails, or draws nothing, leaves the entry as it is", async () => {
    const { effects, logs } = await effectsOf(
      '(harness/append-entry "bad" "1") (harness/append-entry "none" "2") (harness/append-entry "gone" "3")',
      `(defn bad [data] (harness/render "red" "half") (error "broken"))
       (defn none [data] data)
       (each [type f] [["bad" "bad"] ["none" "none"] ["gone" "nowhere"]] (harness/register-renderer type f))`,
    );
    expect(effects.map((effect) => "lines" in effect)).toEqual([false, false, false]);
    expect(logs).toEqual(["plugin warn: A renderer failed: broken"]);
  });

  test("of messages gets the whole message as JSON and returns the line", async () => {
    const { effects } = await effectsOf(
      '(harness/add-custom-message "card" "hi")',
      `(defn draw [json] (string "<" (harness/json-extract json "customType") ": " (harness/json-extract json "content") ">"))
       (harness/register-message-renderer "card" "draw")`,
    );
    expect(effects).toEqual([
      {
        kind: "customMessage",
        type: "card",
        content: "hi",
        display: true,
        lines: [{ color: "white", text: "<card: hi>" }],
      },
    ]);
  });
});

test("what is asked for while the plugin is loaded is no part of a conversation: a notice is a line of its log", async () => {
  const plugin = await openPlugin(
    '(harness/notify "loading" :warn) (harness/log "more") (print "printed") (eprint "err")',
  );
  expect(plugin.effects).toEqual([]);
  expect(plugin.logs).toEqual([
    "plugin warn: loading",
    "plugin info: more",
    "stdout info: printed",
    "stderr error: err",
  ]);
});
