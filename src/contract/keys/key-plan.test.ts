import { describe, expect, it } from "vitest";
import { commandNamed, keyCommands } from "./commands.ts";
import {
  commandTarget,
  keyPlan,
  type OwnKeys,
  type PluginKeys,
  pressed,
  shortcutTarget,
} from "./key-plan.ts";

const plugin = (
  key: string,
  shortcuts: string[],
  bindings: Record<string, string | null> = {},
): PluginKeys => ({
  plugin: key,
  shortcuts: shortcuts.map((keys, index) => ({ id: `${key}-${index}`, keys, description: "" })),
  keyBindings: Object.entries(bindings).map(([keys, command]) => ({ keys, command })),
});
const anywhere = { inComposer: false, inText: false };
const inComposer = { inComposer: true, inText: true };
const inField = { inComposer: false, inText: true };

/** What a key does, in short: the command, or whose shortcut it is. */
function does(plugins: PluginKeys[], own: OwnKeys, keys: string, place = anywhere): string {
  const plan = keyPlan(plugins, own, false);
  const chords = keys.split(" ");
  let before = "";
  for (const chord of chords) {
    const what = pressed(plan, [chord], before, place);
    if (what.kind === "bound") {
      const target = what.bound[0]?.target;
      return target?.kind === "command"
        ? target.command
        : target?.kind === "shortcut"
          ? target.id
          : "nothing";
    }
    if (what.kind === "free") return "free";
    before = what.keys;
  }
  return `begun ${before}`;
}
const idle = (plugins: PluginKeys[], own: OwnKeys = {}) =>
  keyPlan(plugins, own, false).idle.map(({ plugin, keys, why, keeper }) =>
    [plugin, keys, why, keeper].filter(Boolean).join(" "),
  );

describe("keys of plugins", () => {
  it("call the plugin, wherever the person is", () => {
    const one = [plugin("a", ["ctrl-g"])];
    expect(does(one, {}, "ctrl-g")).toBe("a-0");
    expect(does(one, {}, "ctrl-g", inComposer)).toBe("a-0");
    expect(does(one, {}, "ctrl-shift-g")).toBe("free");
  });

  it("leave a person who writes alone when they write something themselves", () => {
    const one = [plugin("a", ["g", "f5"])];
    expect(does(one, {}, "g")).toBe("a-0");
    expect(does(one, {}, "g", inField)).toBe("free");
    expect(does(one, {}, "f5", inField)).toBe("a-1");
  });

  it("stay with the plugin whose key comes first", () => {
    const two = [plugin("a", ["ctrl-g"]), plugin("b", ["Control+G", "ctrl-h"])];
    expect(does(two, {}, "ctrl-g")).toBe("a-0");
    expect(does(two, {}, "ctrl-h")).toBe("b-1");
    expect(idle(two)).toEqual(["b Control+G plugin a"]);
  });

  it("come after the app's own and are refused where nobody can have them", () => {
    const one = [plugin("a", ["ctrl-k", "enter", "esc", "ctrl-c", "ctrl-x ctrl-s", "hyper-q", "ctrl-w"])];
    expect(does(one, {}, "ctrl-k")).toBe("palette");
    expect(idle(one).sort()).toEqual(
      [
        "a ctrl-k app",
        "a enter app",
        "a esc stop",
        "a ctrl-c copy",
        "a ctrl-x ctrl-s sequence",
        "a hyper-q unreadable",
        "a ctrl-w system",
      ].sort(),
    );
  });

  it("give way to the person's, who can also move them or take them away", () => {
    const one = [plugin("a", ["ctrl-g", "ctrl-h"])];
    const own = {
      [commandTarget("goDebug")]: "ctrl-g",
      [shortcutTarget("a", "ctrl-h")]: "alt-h",
    };
    expect(does(one, own, "ctrl-g")).toBe("goDebug");
    expect(idle(one, own)).toEqual(["a ctrl-g person"]);
    expect(does(one, own, "ctrl-h")).toBe("free");
    expect(does(one, own, "alt-h")).toBe("a-1");
    expect(does(one, { [shortcutTarget("a", "ctrl-g")]: null }, "ctrl-g")).toBe("free");
  });
});

describe("bindings of plugins", () => {
  it("come before the usual keys, and only where their command works", () => {
    const one = [plugin("a", [], { "ctrl-k": "kill_to_line_end" })];
    expect(does(one, {}, "ctrl-k", inComposer)).toBe("killToLineEnd");
    expect(does(one, {}, "ctrl-k")).toBe("palette");
    expect(does(one, { [commandTarget("palette")]: "ctrl-k" }, "ctrl-k", inComposer)).toBe("palette");
  });

  it("take a usual key away, which plugins can then have", () => {
    const one = [plugin("a", ["ctrl-k"], { "ctrl-k": null })];
    expect(does(one, {}, "ctrl-k")).toBe("a-0");
    expect(does([plugin("a", [], { "ctrl-k": null })], {}, "ctrl-k")).toBe("free");
    expect(does([plugin("a", [], { enter: null })], {}, "enter", inComposer)).toBe("free");
  });

  it("with several presses take the first one's place", () => {
    const one = [plugin("a", [], { "ctrl-x": "scroll_to_top", "ctrl-x ctrl-e": "scroll_to_bottom" })];
    expect(does(one, {}, "ctrl-x")).toBe("begun ctrl-x");
    expect(does(one, {}, "ctrl-x ctrl-e")).toBe("toBottom");
    expect(does(one, {}, "ctrl-x ctrl-z")).toBe("free");
    expect(idle(one)).toEqual(["a ctrl-x plugin a"]);
    const own = { [commandTarget("goTools")]: "ctrl-x" };
    expect(does(one, own, "ctrl-x")).toBe("goTools");
    expect(idle(one, own)).toEqual(["a ctrl-x person", "a ctrl-x ctrl-e person"]);
  });

  it("are named where they mean nothing here", () => {
    const one = [plugin("a", [], { "ctrl-e": "external_editor", "ctrl-o": "make_coffee", nonsense: "undo" })];
    expect(idle(one)).toEqual(["a ctrl-e command", "a ctrl-o unknown", "a nonsense unreadable"]);
  });

  it("do not move what the person has given a key, or none", () => {
    const one = [plugin("a", [], { "ctrl-p": "history_prev" })];
    expect(does(one, {}, "ctrl-p", inComposer)).toBe("historyPrevious");
    expect(does(one, { [commandTarget("historyPrevious")]: null }, "ctrl-p", inComposer)).toBe("free");
    expect(idle(one, { [commandTarget("historyPrevious")]: "alt-p" })).toEqual(["a ctrl-p person"]);
  });
});

describe("the person's own keys", () => {
  it("replace the usual ones", () => {
    const own = { [commandTarget("send")]: "ctrl-enter", [commandTarget("newLine")]: "enter" };
    expect(does([], own, "enter", inComposer)).toBe("newLine");
    expect(does([], own, "ctrl-enter", inComposer)).toBe("send");
    expect(does([], own, "shift-enter", inComposer)).toBe("free");
    expect(does([], { [commandTarget("palette")]: null }, "ctrl-k")).toBe("free");
  });

  it("cannot be those that nobody can have, nor nonsense", () => {
    expect(does([], { [commandTarget("goDebug")]: "ctrl-c" }, "ctrl-c")).toBe("free");
    expect(does([], { [commandTarget("goDebug")]: "no key" }, "ctrl-k")).toBe("palette");
  });

  it("never take Esc from stopping", () => {
    expect(does([], { [commandTarget("stop")]: "ctrl-." }, "esc")).toBe("stop");
    expect(does([], { [commandTarget("stop")]: "ctrl-." }, "ctrl-.")).toBe("stop");
  });
});

it("knows every name of dirge's commands", () => {
  const names =
    "toggle_reasoning expand scroll_page_up scroll_page_down scroll_to_top scroll_to_bottom next_chat prev_chat close_chat kill_subagent drop_queue cycle_prompt cursor_line_start cursor_line_end cursor_left cursor_right word_left word_right delete_char_back delete_char_forward kill_to_line_end kill_to_line_start kill_word_back delete_word_back delete_word_forward yank yank_pop history_prev history_next reverse_search line_up line_down undo external_editor insert_newline";
  for (const name of names.split(" ")) expect(commandNamed(name)).not.toBe("unknown");
  expect(new Set(names.split(" ").map(commandNamed)).size).toBeLessThan(keyCommands.length);
  expect(commandNamed("constructor")).toBe("unknown");
});
