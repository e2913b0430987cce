import { afterEach, describe, expect, test } from "vitest";
import { closePlugins, openPlugin } from "./dirge-plugin.ts";

afterEach(closePlugins);

const sections = [
  { key: "instructions", content: "Be kind." },
  { key: "workspace", content: "Work here." },
];
const messages = [
  { role: "user", text: "hello" },
  { role: "assistant", text: "", toolCalls: [{ id: "c1", name: "shell", arguments: { command: "ls" } }] },
  { role: "tool", text: "a", toolCallId: "c1" },
];

describe("on-prompt", () => {
  test("replaces the person's message; the last write counts", async () => {
    const plugin = await openPlugin(`
      (defn on-prompt [ctx]
        (harness/replace-prompt "no")
        (harness/replace-prompt (string "(" (ctx :prompt) ")")))`);
    expect(await plugin.fire("session.message.received@v1", { text: "grüße" })).toEqual({ text: "(grüße)" });
    expect(await plugin.fire("prompt.assemble@v1", { sections })).toBeUndefined();
    expect(plugin.effects).toEqual([]);
  });

  test("what it returns is a hint of that turn in the system prompt, and is shown", async () => {
    const plugin = await openPlugin('(defn on-prompt [ctx] (string "It is about " (ctx :prompt)))');
    expect(await plugin.fire("session.message.received@v1", { text: "tea" })).toBeUndefined();
    expect(plugin.effects).toEqual([{ kind: "notify", level: "info", text: "It is about tea" }]);
    expect(await plugin.fire("prompt.assemble@v1", { sections })).toEqual({
      sections: [...sections, { key: "plugin:prompt", content: "It is about tea" }],
    });
    expect(await plugin.fire("prompt.assemble@v1", { sections })).toBeUndefined();
  });

  test("request-prompt is the hint in place of what it returns, replace-prompt beats both", async () => {
    const plugin = await openPlugin(`
      (defn on-prompt [ctx]
        (harness/request-prompt "asked for")
        (when (= (ctx :prompt) "new") (harness/replace-prompt "replaced"))
        "returned")`);
    await plugin.fire("session.message.received@v1", { text: "old" });
    expect(await plugin.fire("prompt.assemble@v1", { sections })).toMatchObject({
      sections: [{}, {}, { content: "asked for" }],
    });
    expect(await plugin.fire("session.message.received@v1", { text: "new" })).toEqual({ text: "replaced" });
    expect(await plugin.fire("prompt.assemble@v1", { sections })).toBeUndefined();
    expect(plugin.effects.filter(({ kind }) => kind === "run")).toEqual([]);
  });

  test("functions that queue something return nil, so a hook that ends with one gives no hint", async () => {
    const plugin = await openPlugin('(defn on-prompt [ctx] (harness/notify "seen"))');
    await plugin.fire("session.message.received@v1", { text: "hi" });
    expect(plugin.effects).toEqual([{ kind: "notify", level: "info", text: "seen" }]);
    expect(await plugin.fire("prompt.assemble@v1", { sections })).toBeUndefined();
  });

  test.each([
    ["true", "true"],
    ["42", "42"],
    [":word", "word"],
    ["[1 2]", "(1 2)"],
  ])("a return value of %s is the hint %s", async (code, hint) => {
    const plugin = await openPlugin(`(defn on-prompt [ctx] ${code})`);
    await plugin.fire("session.message.received@v1", { text: "hi" });
    const { sections: given } = (await plugin.fire("prompt.assemble@v1", { sections })) as {
      sections: { content: string }[];
    };
    expect(given.at(-1)?.content).toMatch(hint === "(1 2)" ? /tuple|\(1 2\)/ : new RegExp(`^${hint}$`));
  });

  test.each(["nil", '""'])("a return value of %s is nothing", async (code) => {
    const plugin = await openPlugin(`(defn on-prompt [ctx] ${code})`);
    await plugin.fire("session.message.received@v1", { text: "hi" });
    expect(await plugin.fire("prompt.assemble@v1", { sections })).toBeUndefined();
  });
});

describe("before-agent-start", () => {
  test("is told the system prompt, and what it appends is one section", async () => {
    const plugin = await openPlugin(`
      (defn before-agent-start [ctx]
        (harness/append-system-prompt (string "  " (length (ctx :system-prompt))))
        (harness/append-system-prompt "second \\n")
        "ignored")`);
    expect(await plugin.fire("prompt.assemble@v1", { sections })).toEqual({
      sections: [...sections, { key: "plugin", content: "20\nsecond" }],
    });
  });
});

describe("transform-context", () => {
  test("is told the messages as a JSON array, and replaces them for this call", async () => {
    const plugin = await openPlugin(`
      (defn transform-context [ctx]
        (def messages (json/decode (ctx :messages)))
        (put (first messages) "content" "HELLO")
        (harness/replace-context (string (json/encode messages))))`);
    expect(await plugin.fire("model.before@v1", { model: "m", messages })).toEqual({
      messages: [{ role: "user", text: "HELLO" }, ...messages.slice(1)],
    });
  });

  test.each(["no json", "{}", "[]", '[{"role": "king"}]'])("%s leaves the messages", async (json) => {
    const plugin = await openPlugin(
      `(defn transform-context [ctx] (harness/replace-context ${JSON.stringify(json)}))`,
    );
    expect(await plugin.fire("model.before@v1", { model: "m", messages })).toBeUndefined();
  });
});

describe("compaction", () => {
  test("on-before-compact is told the numbers", async () => {
    const plugin = await openPlugin(`
      (defn on-before-compact [ctx]
        (harness/notify (string/format "%q %q" (+ 1 (ctx :message-count)) (ctx :tokens))))`);
    await plugin.fire("compact.before@v1", { messages: 4, tokens: 120 });
    expect(plugin.effects).toEqual([{ kind: "notify", level: "info", text: "5 120" }]);
  });

  test("on-compact gives the summary when it has one of the headings", async () => {
    const plugin = await openPlugin(`
      (defn on-compact [ctx]
        (harness/set-compact-summary
          (string "## Goal\\n" (get (first (json/decode (ctx :messages))) "content"))))`);
    expect(await plugin.fire("compact.summary@v1", { summary: "old", messages })).toEqual({
      summary: "## Goal\nhello",
    });
  });

  test.each(["", "Nothing of the kind."])("a summary of %j is not taken", async (summary) => {
    const plugin = await openPlugin(
      `(defn on-compact [ctx] (harness/set-compact-summary ${JSON.stringify(summary)}))`,
    );
    expect(await plugin.fire("compact.summary@v1", { summary: "old", messages })).toBeUndefined();
  });
});
