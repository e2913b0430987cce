/** How much the model thinks before it answers. A provider that knows no levels takes no notice. */
export type ThinkingLevel = "off" | "minimal" | "low" | "medium" | "high" | "xhigh";

export type NoticeLevel = "info" | "warn" | "error";

/** The colours of drawn lines. How each looks is decided by the theme. */
export type LineColor =
  | "black"
  | "red"
  | "green"
  | "yellow"
  | "blue"
  | "magenta"
  | "cyan"
  | "white"
  | "grey"
  | "darkgrey"
  | "darkred"
  | "darkgreen"
  | "darkyellow"
  | "darkblue"
  | "darkmagenta"
  | "darkcyan";

/** A line as it is to be drawn, at most 4,096 characters. */
export interface DrawnLine {
  color: LineColor;
  text: string;
}

export type TreeRequest =
  | { op: "label"; id: string; label: string | null }
  | { op: "fork"; id: string; position: "before" | "at" }
  | { op: "navigate"; id: string }
  | { op: "new"; parent?: string }
  | { op: "switch"; prefix: string };

/** What a call can ask for beside its answer, as it is sent to the host: at most 100 in one answer. */
export type PluginEffect =
  | { kind: "nextModel"; model: string }
  | { kind: "thinkingLevel"; level: ThinkingLevel }
  | { kind: "stopAfterTurn" }
  | { kind: "steer"; text: string }
  | { kind: "followUp"; text: string }
  | { kind: "run"; text: string }
  | { kind: "notify"; text: string; level: NoticeLevel }
  | { kind: "entry"; type: string; data: unknown; display: boolean; lines?: DrawnLine[] }
  | { kind: "customMessage"; type?: string; content: string; display: boolean; lines?: DrawnLine[] }
  | { kind: "session"; request: TreeRequest };

/**
 * What a hook, a command or a tool may ask for beside its answer. It is sent with the answer, concerns the conversation
 * that the call belongs to, and is recorded with the name of the plugin. What is asked after the answer is lost.
 */
export interface CallEffects {
  /** The next run of the conversation has this model of the agent's provider; an unknown one is told to the person. */
  nextModel(model: string): void;
  /** From the next model call on. */
  thinkingLevel(level: ThinkingLevel): void;
  /** The run ends when the results of the present model call's tools are in. */
  stopAfterTurn(): void;
  /** A message to the model before its next call in this run. At most 64 KiB, as those below. */
  steer(text: string): void;
  /** A message to the model when the run would stop: it goes on. */
  followUp(text: string): void;
  /** A run of its own after this one, which answers this text. */
  run(text: string): void;
  /** A line for the person, `info` if no level is given. The model is not sent it. At most 64 KiB in one answer. */
  notify(text: string, level?: NoticeLevel): void;
  /**
   * Keeps JSON with the conversation, at most 256 KiB. It is shown, unless `display` is false; as `lines` where they are
   * given. The model is not sent it.
   */
  entry(type: string, data: unknown, options?: { display?: boolean; lines?: DrawnLine[] }): void;
  /** A message of the plugin to the person, at most 128 KiB, kept with the conversation. The model is not sent it. */
  customMessage(content: string, options?: { type?: string; display?: boolean; lines?: DrawnLine[] }): void;
  /** The tree of the conversation. Patchbay tells the person where it cannot do what is asked. */
  session: {
    /** Names an entry; null takes the name away. */
    label(id: string, label: string | null): void;
    /** A branch that begins `before` an entry, whose text is then offered anew, or `at` it (the default). */
    fork(id: string, position?: "before" | "at"): void;
    navigate(id: string): void;
    /** A new conversation. `parent`: the one that it comes from; default: this one. */
    new: (parent?: string) => void;
    /** Shows the conversation whose id begins so. */
    switch(prefix: string): void;
  };
}

/** The methods of {@link CallEffects}, which hand what they are asked to `add`. Values are copied when they are given. */
export function callEffects(add: (effect: PluginEffect) => void): CallEffects {
  const session = (request: TreeRequest) => add({ kind: "session", request });
  return {
    nextModel: (model) => add({ kind: "nextModel", model: String(model) }),
    thinkingLevel: (level) => add({ kind: "thinkingLevel", level }),
    stopAfterTurn: () => add({ kind: "stopAfterTurn" }),
    steer: (text) => add({ kind: "steer", text: String(text) }),
    followUp: (text) => add({ kind: "followUp", text: String(text) }),
    run: (text) => add({ kind: "run", text: String(text) }),
    notify: (text, level = "info") => add({ kind: "notify", text: String(text), level }),
    entry: (type, data, { display = true, lines } = {}) =>
      add({ kind: "entry", type: String(type), data: plain(data), display, ...(lines && { lines }) }),
    customMessage: (content, { type, display = true, lines } = {}) =>
      add({
        kind: "customMessage",
        ...(type !== undefined && { type: String(type) }),
        content: String(content),
        display,
        ...(lines && { lines }),
      }),
    session: {
      label: (id, label) => session({ op: "label", id: String(id), label }),
      fork: (id, position = "at") => session({ op: "fork", id: String(id), position }),
      navigate: (id) => session({ op: "navigate", id: String(id) }),
      new: (parent) => session({ op: "new", ...(parent !== undefined && { parent: String(parent) }) }),
      switch: (prefix) => session({ op: "switch", prefix: String(prefix) }),
    },
  };
}

/** @throws TypeError when it cannot be written as JSON */
function plain(data: unknown): unknown {
  return data === undefined ? null : JSON.parse(JSON.stringify(data) ?? "null");
}
