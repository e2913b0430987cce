import { afterEach, describe, expect, test, vi } from "vitest";
import { closePlugins, openPlugin } from "./dirge-plugin.ts";

afterEach(closePlugins);

const schema = '"{\\"type\\": \\"object\\", \\"properties\\": {\\"city\\": {\\"type\\": \\"string\\"}}}"';

describe("a tool", () => {
  test("gets its arguments as JSON text and answers with what it returns as text", async () => {
    const plugin = await openPlugin(`
      (defn weather [args] (string "rain in " (harness/json-extract args "city")))
      (defn count-up [args] (length args))
      (harness/register-tool "weather" "Tells the weather." "Weather" ${schema} "weather")
      (harness/register-tool "count" "Counts." "" "{}" count-up :sequential)`);
    const { tools } = plugin.instance.contributions;
    expect(tools).toEqual([
      {
        name: "plugin__weather",
        title: "plugin.weather",
        label: "Weather",
        description: "Tells the weather.",
        parameters: { type: "object", properties: { city: { type: "string" } } },
        readOnly: false,
        owner: "plugin",
      },
      expect.objectContaining({ name: "plugin__count", label: "count", parameters: {} }),
    ]);
    expect(await plugin.tool("weather", { city: "Köln" })).toBe("rain in Köln");
    expect(await plugin.tool("count", { a: 1 })).toBe("7");
  });

  test("has its arguments prepared before they are checked; what is of no use leaves them", async () => {
    const plugin = await openPlugin(`
      (defn prepare [json]
        (cond
          (string/find "bad" json) (error "no")
          (string/find "odd" json) "no json"
          (string/replace "koeln" "Köln" json)))
      (harness/register-tool "weather" "" "" "{}" "weather" :parallel "prepare")
      (defn weather [args] args)`);
    const judged = (city: string, toolName = "plugin__weather") =>
      plugin.fire("tool.before@v1", { toolCallId: "c", toolName, args: { city }, caller: null });
    expect(await judged("koeln")).toEqual({ allow: true, payload: { args: { city: "Köln" } } });
    for (const city of ["bad", "odd", "Bonn"]) expect(await judged(city)).toEqual({ allow: true });
    expect(await judged("koeln", "other__weather")).toEqual({ allow: true });
  });

  test("that fails says the error of Janet", async () => {
    const plugin = await openPlugin(`
      (defn broken [args] (string/find nil args))
      (harness/register-tool "broken" "" "" "{}" "broken")`);
    await expect(plugin.tool("broken")).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: "bad slot #0, expected string, symbol, keyword or buffer, got nil",
    });
  });

  test("tells how far it is, and its own call", async () => {
    const plugin = await openPlugin(`
      (defn slow [args] (harness/emit-tool-progress "half") (string harness-current-tool-call))
      (harness/register-tool "slow" "" "" "{}" "slow")
      (defn on-tool-start [ctx] (harness/emit-tool-progress "never") nil)`);
    const told: string[] = [];
    expect(await plugin.tool("slow", {}, (text) => void told.push(text))).toBe("c1");
    expect(told).toEqual(["half"]);
    await plugin.fire("tool.before@v1", { toolCallId: "c", toolName: "shell", args: {}, caller: null });
    expect(told).toEqual(["half"]);
  });

  test("asks the person while another one answers", async () => {
    const plugin = await openPlugin(`
      (defn asks [args] (if (harness/confirm "Go?" "Really?") "went" "stayed"))
      (defn quick [args] "quick")
      (each [name f] [["asks" asks] ["quick" quick]] (harness/register-tool name "" "" "{}" f))`);
    const asking = plugin.tool("asks");
    await vi.waitFor(() => expect(plugin.questions).toHaveLength(1));
    expect(await plugin.tool("quick")).toBe("quick");
    plugin.questions[0]?.answer(true);
    expect(await asking).toBe("went");
  });

  test("of a bad name is left out with a sentence; a bad schema takes anything; the last of a name counts", async () => {
    const plugin = await openPlugin(`
      (harness/register-tool "has space" "" "" "{}" "f")
      (harness/register-tool "twice" "first" "" "{}" "f")
      (harness/register-tool "twice" "second" "" "no json" "g")
      (harness/register-tool 5 "" "" "{}" "f")
      (harness/register-tool "no-handler" "" "" "{}" nil)
      (defn f [args] "f") (defn g [args] "g")`);
    const { tools, notes } = plugin.instance.contributions;
    expect(tools.map(({ name, description, parameters }) => [name, description, parameters])).toEqual([
      ["plugin__twice", "second", {}],
    ]);
    expect(notes).toEqual([
      "The tool “has space” of plugin was left out: its name has other signs than letters, digits, - and _.",
      "The tool twice takes any arguments: what it says of them is no JSON.",
    ]);
    expect(await plugin.tool("twice")).toBe("g");
  });

  test("may be registered later, by a hook", async () => {
    const plugin = await openPlugin(`
      (defn late [args] "late")
      (defn on-init [ctx] (harness/register-tool "late" "" "" "{}" "late"))`);
    expect(plugin.instance.contributions.tools).toEqual([]);
    await plugin.fire("agent.started@v1", { at: "", model: "" });
    await vi.waitFor(() =>
      expect(plugin.offers.at(-1)?.tools.map(({ name }) => name)).toEqual(["plugin__late"]),
    );
    expect(await plugin.tool("late")).toBe("late");
  });
});

describe("a command", () => {
  test("gets what was typed after it, its words joined by single spaces", async () => {
    const plugin = await openPlugin(`
      (defn say [args] (string "<" args ">"))
      (defn nothing [args] nil)
      (harness/register-command "say" "say")
      (harness/register-command "/slash" say)
      (harness/register-command "nothing" "nothing")
      (harness/register-command "missing" "not-there")`);
    expect(plugin.instance.contributions.commands.map(({ name }) => name)).toEqual([
      "say",
      "slash",
      "nothing",
      "missing",
    ]);
    expect(await plugin.command("say", "  two   words ")).toBe("<two words>");
    expect(await plugin.command("slash")).toBe("<>");
    expect(await plugin.command("nothing")).toBe("");
    expect(await plugin.command("missing")).toBe("");
  });

  test("that fails says the error of Janet", async () => {
    const plugin = await openPlugin(`
      (defn f [args] (harness/notify "tried") (error "so sad"))
      (harness/register-command "f" "f")`);
    await expect(plugin.command("f")).rejects.toMatchObject({ code: "COMMAND_FAILED", message: "so sad" });
    expect(plugin.effects).toEqual([{ kind: "notify", level: "info", text: "tried" }]);
  });
});

describe("keys", () => {
  test("call the plugin with the keys as they are written", async () => {
    const plugin = await openPlugin(`
      (defn pressed [keys] (harness/notify "seen") (string "pressed " keys))
      (harness/register-shortcut "Ctrl-G" "pressed" "Tells it")
      (harness/register-shortcut "alt+f4" pressed)
      (harness/register-shortcut "hyper-g" "pressed")`);
    const { shortcuts, notes } = plugin.instance.contributions;
    expect(shortcuts).toEqual([
      { id: "Ctrl-G", keys: "Ctrl-G", description: "Tells it" },
      { id: "alt+f4", keys: "alt+f4", description: "" },
    ]);
    expect(notes).toEqual(["The shortcut “hyper-g” of plugin was left out: it is no key."]);
    expect(await plugin.shortcut("Ctrl-G")).toBe("pressed Ctrl-G");
    expect(plugin.effects).toEqual([{ kind: "notify", level: "info", text: "seen" }]);
  });

  test("are bound to commands of the app, one chord or several", async () => {
    const plugin = await openPlugin(`
      (harness/bind-key "ctrl-x ctrl-u" "undo")
      (harness/bind-key "f5" :none)
      (harness/bind-key "f6" "unbind")
      (harness/bind-key "nonsense key" "undo")`);
    expect(plugin.instance.contributions.keyBindings).toEqual([
      { keys: "ctrl-x ctrl-u", command: "undo" },
      { keys: "f5", command: null },
      { keys: "f6", command: null },
    ]);
  });
});

test("providers and renderers are told; the last of a name counts", async () => {
  const plugin = await openPlugin(`
    (harness/register-provider "house" "openai" "http://old.example")
    (harness/register-provider "house" "openai" "http://models.example/v1" "HOUSE_KEY")
    (harness/register-provider "bad" "openai" nil)
    (harness/register-renderer "todo" "draw")
    (harness/register-message-renderer "card" "draw")`);
  const { providers, renderers } = plugin.instance.contributions;
  expect(providers).toEqual([
    { name: "house", speaks: "openai", baseUrl: "http://models.example/v1", keyVariable: "HOUSE_KEY" },
  ]);
  expect(renderers).toEqual([
    { of: "entry", type: "todo" },
    { of: "message", type: "card" },
  ]);
});
