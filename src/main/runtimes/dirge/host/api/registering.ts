import { isObject } from "../../../../../contract/is-object.ts";
import { handlerOf } from "../handler.ts";
import type { Binder } from "./api.ts";
import { readChord } from "./chords.ts";
import { parsedJson, textAt, wordAt } from "./values.ts";

/** Functions by which a plugin registers what it offers. What has the wrong types is not taken, as in dirge. */
export function bindRegistering(api: Binder): void {
  api.bind(
    "(harness/register-command name fn-name)",
    "A slash command. The function gets what was typed after it.",
    (args, { registrations }) => {
      const name = wordAt(args, 0)?.replace(/^\//, "");
      const handler = handlerOf(args[1] ?? null);
      if (name === undefined || handler === null) return null;
      registrations.commands.set(name, handler);
      registrations.changed();
      return null;
    },
  );
  api.bind(
    "(harness/register-tool name description label parameters handler &opt execution-mode prepare-arguments)",
    "A tool for the model. parameters is a JSON Schema as text; the function gets the arguments as JSON text.",
    (args, { registrations, id }) => {
      const [name, description, label, schema] = [0, 1, 2, 3].map((at) => textAt(args, at));
      const handler = handlerOf(args[4] ?? null);
      if (name === undefined || handler === null) return null;
      if (!/^[a-zA-Z0-9_-]+$/.test(name)) {
        registrations.note(
          `The tool “${name}” of ${id} was left out: its name has other signs than letters, digits, - and _.`,
        );
        return null;
      }
      const parameters = parsedJson(schema ?? "");
      if (!isObject(parameters))
        registrations.note(`The tool ${name} takes any arguments: what it says of them is no JSON.`);
      registrations.tools.set(name, {
        name,
        description: description ?? "",
        label: label || name,
        parameters: isObject(parameters) ? parameters : {},
        handler,
        prepare: handlerOf(args[6] ?? null),
      });
      registrations.changed();
      return null;
    },
  );
  api.bind("(harness/emit-tool-progress text)", "Tells how far the running tool is.", (args, { call }) => {
    const text = textAt(args, 0);
    if (text !== undefined) call.progress?.(text);
    return null;
  });
  api.bind(
    "(harness/register-shortcut keys handler &opt description)",
    "A key that calls the plugin. The function gets the keys as they are written here.",
    (args, { registrations, id }) => {
      const keys = textAt(args, 0);
      const handler = handlerOf(args[1] ?? null);
      if (keys === undefined || handler === null) return null;
      if (readChord(keys) === null) {
        registrations.note(`The shortcut “${keys}” of ${id} was left out: it is no key.`);
        return null;
      }
      const description = (wordAt(args, 2) ?? "").slice(0, 500);
      registrations.shortcuts.set(keys, { id: keys, keys, description, handler });
      registrations.changed();
      return null;
    },
  );
  api.bind(
    "(harness/bind-key keys command)",
    "A key, or several after each other, for a command of the app; none or unbind takes it away.",
    (args, { registrations, id }) => {
      const keys = textAt(args, 0);
      const command = wordAt(args, 1);
      if (keys === undefined || command === undefined) return null;
      const chords = keys.trim().split(/\s+/);
      if (chords.some((chord) => readChord(chord) === null)) {
        registrations.note(`The key “${keys}” of ${id} was left out: it is no key.`);
        return null;
      }
      const isOff = command === "none" || command === "unbind";
      registrations.keyBindings.set(keys, { keys, command: isOff ? null : command });
      registrations.changed();
      return null;
    },
  );
  api.bind(
    "(harness/register-provider name type base-url &opt api-key-env)",
    "An address at which models answer.",
    (args, { registrations }) => {
      const [name, speaks, baseUrl, keyVariable] = [0, 1, 2, 3].map((at) => wordAt(args, at));
      if (!name || !speaks || !baseUrl) return null;
      registrations.providers.set(name, { name, speaks, baseUrl, keyVariable: keyVariable || null });
      registrations.changed();
      return null;
    },
  );
}
