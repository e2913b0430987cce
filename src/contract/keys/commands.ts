/** Where a command of the app works: everywhere, where a conversation is shown, or in the field for messages. */
export type KeyArea = "app" | "conversation" | "composer";

interface Command {
  area: KeyArea;
  /** The usual keys, as texts of `keysText`; a Mac's where it has others. */
  keys?: readonly string[];
  macKeys?: readonly string[];
  /** What plugins call it, who know the vocabulary of their own system. */
  names?: readonly string[];
}

/** What the app can do at a key. The order is that of the screen. */
const table = {
  palette: { area: "app", keys: ["ctrl-k"], macKeys: ["cmd-k", "ctrl-k"] },
  togglePanel: { area: "app" },
  goPlugins: { area: "app" },
  goDiscover: { area: "app" },
  goTools: { area: "app" },
  goDebug: { area: "app" },
  goApprovals: { area: "app" },
  goSettings: { area: "app" },
  pauseContinue: { area: "app", keys: ["f8"] },
  pauseStep: { area: "app", keys: ["f10"] },
  newConversation: { area: "conversation" },
  nextConversation: { area: "conversation", names: ["next_chat"] },
  previousConversation: { area: "conversation", names: ["prev_chat"] },
  closeConversation: { area: "conversation", names: ["close_chat"] },
  stop: { area: "conversation", keys: ["esc"] },
  pageUp: { area: "conversation", names: ["scroll_page_up"] },
  pageDown: { area: "conversation", names: ["scroll_page_down"] },
  toTop: { area: "conversation", names: ["scroll_to_top"] },
  toBottom: { area: "conversation", names: ["scroll_to_bottom"] },
  expand: { area: "conversation", names: ["expand"] },
  send: { area: "composer", keys: ["enter"] },
  newLine: { area: "composer", keys: ["shift-enter"], names: ["insert_newline"] },
  historyPrevious: { area: "composer", names: ["history_prev"] },
  historyNext: { area: "composer", names: ["history_next"] },
  lineStart: { area: "composer", names: ["cursor_line_start"] },
  lineEnd: { area: "composer", names: ["cursor_line_end"] },
  left: { area: "composer", names: ["cursor_left"] },
  right: { area: "composer", names: ["cursor_right"] },
  wordLeft: { area: "composer", names: ["word_left"] },
  wordRight: { area: "composer", names: ["word_right"] },
  lineUp: { area: "composer", names: ["line_up"] },
  lineDown: { area: "composer", names: ["line_down"] },
  deleteBack: { area: "composer", names: ["delete_char_back"] },
  deleteForward: { area: "composer", names: ["delete_char_forward"] },
  deleteWordBack: { area: "composer", names: ["delete_word_back"] },
  deleteWordForward: { area: "composer", names: ["delete_word_forward"] },
  killToLineEnd: { area: "composer", names: ["kill_to_line_end"] },
  killToLineStart: { area: "composer", names: ["kill_to_line_start"] },
  killWordBack: { area: "composer", names: ["kill_word_back"] },
  yank: { area: "composer", names: ["yank"] },
  yankPop: { area: "composer", names: ["yank_pop"] },
  undo: { area: "composer", names: ["undo"] },
} as const satisfies Record<string, Command>;

export type KeyCommand = keyof typeof table;
export const keyCommands = Object.keys(table) as KeyCommand[];

export function areaOf(command: KeyCommand): KeyArea {
  return table[command].area;
}

export function usualKeys(command: KeyCommand, mac: boolean): readonly string[] {
  const { keys, macKeys }: Command = table[command];
  return (mac ? macKeys : undefined) ?? keys ?? [];
}

/** What plugins can name and the app has not: nothing there is what they mean. */
const without = new Set([
  "toggle_reasoning",
  "kill_subagent",
  "drop_queue",
  "cycle_prompt",
  "reverse_search",
  "external_editor",
]);

/** The command that a plugin means. `absent`: Patchbay has nothing of the kind; `unknown`: nobody knows the name. */
export function commandNamed(name: string): KeyCommand | "absent" | "unknown" {
  const found = keyCommands.find((command) => {
    const { names }: Command = table[command];
    return names?.includes(name) === true;
  });
  return found ?? (without.has(name) ? "absent" : "unknown");
}
