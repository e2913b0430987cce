import { afterEach, describe, expect, test } from "vitest";
import { closePlugins, type OpenPlugin, openPlugin } from "./dirge-plugin.ts";

afterEach(closePlugins);

const noted = (plugin: OpenPlugin) =>
  plugin.effects.map((effect) => (effect.kind === "notify" ? effect.text : effect.kind));
const messages = [{ role: "user", text: "hi" }];
const said = (text: string, calls: string[] = []) => ({
  message: {
    role: "assistant",
    text,
    ...(calls.length > 0 && { toolCalls: calls.map((name) => ({ id: name, name, arguments: {} })) }),
  },
  usage: null,
});

test("on-init is told the agent's model and workspace, once", async () => {
  const plugin = await openPlugin(`
    (defn on-init [ctx]
      (harness/notify (string/format "%q %q %q %q" (ctx :model) (ctx :provider) (= (ctx :cwd) (ctx :workspace)) (ctx :auto-confirm)))
      (harness/notify (ctx :workspace)))`);
  await plugin.fire("agent.started@v1", { at: "", model: "house/large" });
  expect(plugin.effects, "there is no conversation yet").toEqual([]);
  expect(plugin.logs).toEqual([
    'plugin info: "house/large" "house" true "ask"',
    `plugin info: ${plugin.workspace}`,
  ]);
  expect(plugin.instance.contributions.hooks.map(({ event }) => event)).toEqual(["agent.started@v1"]);
});

test("the hooks of a run are called in their order, with the number of the model call and what was said", async () => {
  const hooks = [
    "on-turn-start",
    "on-message-update",
    "on-turn-end",
    "on-response",
    "message-end",
    "on-complete",
    "prepare-next-run",
  ];
  const plugin = await openPlugin(
    hooks
      .map(
        (hook) =>
          `(defn ${hook} [ctx]
             (harness/notify (string "${hook} " (string/join (map |(string/format "%q" (ctx $)) [:index :partial :message :response]) " "))))`,
      )
      .join("\n"),
  );
  await plugin.fire("model.before@v1", { model: "m", messages });
  await plugin.fire("message.delta@v1", { messageId: "m1", text: "Let me " });
  await plugin.fire("message.delta@v1", { messageId: "m1", text: "look" });
  await plugin.fire("model.after@v1", said("Let me look", ["shell"]));
  await plugin.fire("message.final@v1", { messageId: "m1", text: "Let me look" });
  await plugin.fire("run.prepare@v1");
  await plugin.fire("model.before@v1", { model: "m", messages });
  await plugin.fire("model.after@v1", said("Done"));
  await plugin.fire("message.final@v1", { messageId: "m2", text: "Done" });
  await plugin.fire("run.end@v1");
  await plugin.fire("run.end@v1");
  await plugin.fire("model.before@v1", { model: "m", messages, turnId: "t2" });
  expect(noted(plugin)).toEqual([
    "on-turn-start 0 nil nil nil",
    'on-message-update 0 "Let me " nil nil',
    'on-message-update 0 "Let me look" nil nil',
    'on-turn-end 0 nil "Let me look" nil',
    "on-turn-start 1 nil nil nil",
    'on-response nil nil nil "Done"',
    'message-end nil nil "Done" nil',
    'on-turn-end 1 nil "Done" nil',
    "on-complete nil nil nil nil",
    "prepare-next-run nil nil nil nil",
    "on-complete nil nil nil nil",
    "prepare-next-run nil nil nil nil",
    "on-turn-start 0 nil nil nil",
  ]);
});

describe("on-response", () => {
  test("what it returns is shown and starts nothing; request-prompt starts a run", async () => {
    const plugin = await openPlugin(`
      (defn on-response [ctx]
        (if (= (ctx :response) "more") (harness/request-prompt "and now?") "only shown"))`);
    await plugin.fire("message.final@v1", { messageId: "m", text: "done" });
    await plugin.fire("message.final@v1", { messageId: "m", text: "more" });
    expect(plugin.effects).toEqual([
      { kind: "notify", level: "info", text: "only shown" },
      { kind: "run", text: "and now?" },
    ]);
  });

  test("harness-response is the last answer until the next run is prepared", async () => {
    const plugin = await openPlugin(`
      (defn on-response [ctx] nil)
      (defn on-complete [ctx] (harness/notify (string/format "%q" harness-response)))
      (defn prepare-next-run [ctx] (harness/notify (string/format "%q" harness-response)))
      (defn on-turn-end [ctx] (harness/notify (string/format "%q" harness-response)))`);
    await plugin.fire("message.final@v1", { messageId: "m", text: "done" });
    await plugin.fire("run.end@v1");
    await plugin.fire("model.after@v1", said("next"));
    await plugin.fire("run.end@v1");
    expect(noted(plugin)).toEqual(['"done"', '"done"', "nil", "nil", "nil"]);
  });
});

test("message-end stores another text", async () => {
  const plugin = await openPlugin(
    `(defn message-end [ctx] (harness/rewrite-message (string/ascii-upper (ctx :message))))`,
  );
  expect(await plugin.fire("message.final@v1", { messageId: "m", text: "done" })).toEqual({ text: "DONE" });
});

test("on-error is told why a turn failed, and of no other end", async () => {
  const plugin = await openPlugin("(defn on-error [ctx] (harness/notify (ctx :error)))");
  await plugin.fire("turn.end@v1", { outcome: "done", text: "", model: "" });
  await plugin.fire("turn.end@v1", { outcome: "failed", text: "", model: "", error: "No answer came." });
  expect(noted(plugin)).toEqual(["No answer came."]);
});

test("one hook that fails keeps no other from being called", async () => {
  const plugin = await openPlugin(`
    (defn on-response [ctx] (error {:code 7}))
    (defn message-end [ctx] (harness/rewrite-message "kept"))`);
  expect(await plugin.fire("message.final@v1", { messageId: "m", text: "x" })).toEqual({ text: "kept" });
  expect(noted(plugin)).toEqual(["The hook on-response (on-response) failed: {:code 7}"]);
});
