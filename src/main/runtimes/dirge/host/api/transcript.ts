import type { LineColor, NoticeLevel } from "@patchbay/plugin-sdk";
import { handlerOf } from "../handler.ts";
import type { Binder } from "./api.ts";
import { textAt, toJson, wordAt } from "./values.ts";

const colors: Record<string, LineColor> = {
  black: "black",
  red: "red",
  green: "green",
  yellow: "yellow",
  blue: "blue",
  magenta: "magenta",
  cyan: "cyan",
  white: "white",
  grey: "grey",
  gray: "grey",
  darkgrey: "darkgrey",
  darkred: "darkred",
  darkgreen: "darkgreen",
  darkyellow: "darkyellow",
  darkblue: "darkblue",
  darkmagenta: "darkmagenta",
  darkcyan: "darkcyan",
};

/** Functions that show something in the conversation without the model being told. */
export function bindTranscript(api: Binder): void {
  api.bind(
    "(harness/notify msg &opt level)",
    "Shows a line to the person; the level is :info, :warn or :error.",
    (args, world) => {
      const text = textAt(args, 0);
      if (text === undefined || text === "") return null;
      const level = levelOf(wordAt(args, 1));
      if (world.call.doing === "load") world.log(level, text);
      else world.call.effects.push({ kind: "notify", text, level });
      return null;
    },
  );
  api.bind(
    "(harness/append-entry type data &opt display)",
    "Keeps data with the conversation, and shows it unless display is false.",
    (args, { call }) => {
      const type = wordAt(args, 0);
      if (type === undefined) return null;
      const display = (args[2] ?? null) === null ? true : args[2] !== false;
      call.effects.push({ kind: "entry", type, data: toJson(args[1] ?? null), display });
      return null;
    },
  );
  api.bind(
    "(harness/add-custom-message content &opt more display)",
    "Shows a message of the plugin: (content), (type content) or (type content display).",
    (args, { call }) => {
      const [type, content] =
        args.length === 1 ? [undefined, textAt(args, 0)] : [wordAt(args, 0), textAt(args, 1)];
      if (content === undefined) return null;
      const display = args.length < 3 || (args[2] !== false && args[2] !== null);
      call.effects.push({ kind: "customMessage", ...(type !== undefined && { type }), content, display });
      return null;
    },
  );
  api.bind("(harness/render color text)", "Draws a line; in a renderer.", (args, { call }) => {
    const text = textAt(args, 1);
    const color = colors[(wordAt(args, 0) ?? "").toLowerCase()] ?? "darkgrey";
    if (text !== undefined && call.doing === "render") call.lines.push({ color, text: text.slice(0, 4_096) });
    return null;
  });
  for (const [name, of, doc] of [
    ["harness/register-renderer", "entry", "Names the function that draws entries of a type."],
    ["harness/register-message-renderer", "message", "Names the function that draws messages of a type."],
  ] as const)
    api.bind(`(${name} type fn-name)`, doc, (args, { registrations }) => {
      const type = wordAt(args, 0);
      const handler = handlerOf(args[1] ?? null);
      if (type === undefined || handler === null) return null;
      registrations.renderers[of].set(type, handler);
      registrations.changed();
      return null;
    });
}

function levelOf(word: string | undefined): NoticeLevel {
  return word === "warn" || word === "error" ? word : "info";
}
