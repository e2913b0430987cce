import type { SetupPluginState } from "../../runtime.ts";
import type { ServerInput } from "../server/server-file.ts";

type Form = Extract<SetupPluginState, { kind: "awaiting_user_input" }>;
type Control = Pick<Form["fields"][number], "type" | "options" | "default" | "min" | "max">;
type Config = Readonly<Record<string, unknown>>;

/** The inputs of a server that are asked for before it is connected to; none when all that is needed is set. */
export function askedInputs(inputs: readonly ServerInput[], config: Config, isFirst: boolean): ServerInput[] {
  const isOpen = inputs.some(({ name, required }) => required && !isSet(config[name]));
  const isWorthAsking = isFirst && inputs.some(({ secret, required }) => required || !secret);
  return isOpen || isWorthAsking ? [...inputs] : [];
}

/** The fields of a form for inputs. What is set already may be left empty. */
export function fieldsOf(inputs: readonly ServerInput[], config: Config): Form["fields"] {
  return inputs.map((input) => {
    const { name, title, description, secret, required, default: preset } = input;
    const now = isSet(config[name]) ? config[name] : preset;
    return {
      key: name,
      label: title ?? name,
      ...(description && { help: description }),
      ...kindOf(input, shown(now)),
      ...(required && !isSet(config[name]) && preset === undefined && { required: true }),
      ...(!secret && { placeholder: shown(now) || (input.placeholder ?? "") }),
    };
  });
}

/** What was typed, as the settings have it; what was left empty stays as it is. */
export function typedInputs(
  inputs: readonly ServerInput[],
  typed: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    inputs.flatMap(({ name, type, multiple }) => {
      const given = typed[name];
      if (!isSet(given)) return [];
      if (type === "boolean") return [[name, given === "true"]];
      if (type === "number") return [[name, Number(given)]];
      return [
        [
          name,
          multiple
            ? String(given)
                .split(",")
                .map((each) => each.trim())
            : given,
        ],
      ];
    }),
  );
}

/** The control of an input. @param now what it is until the person says otherwise */
function kindOf({ type, secret, multiple, choices = [], min, max }: ServerInput, now: string): Control {
  if (type === "boolean") return { type: "switch", default: now === "true" ? "true" : "false" };
  const options = choices.filter((value) => value !== "").map((value) => ({ value, label: value }));
  const isList = multiple && options.every(({ value }) => !value.includes(","));
  if (options.length > 0 && (isList || !multiple)) {
    const picked = isList ? now.split(",") : [now];
    const known = picked.filter((each) => choices.includes(each)).join(",");
    return { type: isList ? "choices" : "choice", options, ...(known !== "" && { default: known }) };
  }
  if (type === "number" && !multiple)
    return { type: "number", ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  return { type: secret ? "password" : "text" };
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function shown(value: unknown): string {
  return value === undefined || value === null ? "" : String(value).slice(0, 200);
}
