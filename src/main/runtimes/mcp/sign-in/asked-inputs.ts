import type { SetupPluginState } from "../../runtime.ts";
import type { ServerInput } from "../server/server-file.ts";

type Form = Extract<SetupPluginState, { kind: "awaiting_user_input" }>;
type Config = Readonly<Record<string, unknown>>;

/** The inputs of a server that are asked for before it is connected to; none when all that is needed is set. */
export function askedInputs(inputs: readonly ServerInput[], config: Config, isFirst: boolean): ServerInput[] {
  const isOpen = inputs.some(({ name, required }) => required && !isSet(config[name]));
  const isWorthAsking = isFirst && inputs.some(({ secret, required }) => required || !secret);
  return isOpen || isWorthAsking ? [...inputs] : [];
}

/** The fields of a form for inputs. What is set already may be left empty. */
export function fieldsOf(inputs: readonly ServerInput[], config: Config): Form["fields"] {
  return inputs.map(({ name, title, description, type, secret, required, choices, default: preset }) => ({
    key: name,
    label: title ?? name,
    ...(description && { help: description }),
    ...kindOf(type, secret, title ?? name, choices),
    ...(required && !isSet(config[name]) && preset === undefined && { required: true }),
    ...(!secret && { placeholder: shown(config[name] ?? preset) }),
  }));
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
      return [[name, multiple ? String(given).split(",") : given]];
    }),
  );
}

function kindOf(type: ServerInput["type"], secret: boolean, label: string, choices: string[] | undefined) {
  if (type === "boolean") return { type: "choices" as const, options: [{ value: "true", label }] };
  if (choices && choices.length > 0 && choices.every((each) => each !== "" && !each.includes(",")))
    return { type: "choices" as const, options: choices.map((value) => ({ value, label: value })) };
  if (type === "number") return { type: "number" as const };
  return { type: secret ? ("password" as const) : ("text" as const) };
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function shown(value: unknown): string {
  return value === undefined || value === null ? "" : String(value).slice(0, 200);
}
