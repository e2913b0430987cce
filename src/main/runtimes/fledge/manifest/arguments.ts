import type { ManifestProblems } from "../../manifest-problems.ts";
import { isTable, readText, words } from "./values.ts";

const argumentTypes = ["string", "integer", "number", "boolean", "array", "object"] as const;
type ArgumentType = (typeof argumentTypes)[number];

/** One declared argument; the order of declaration is the order in which they are passed. */
export interface CommandArgument {
  name: string;
  type: ArgumentType;
  required: boolean;
  description: string;
  choices: unknown[] | null;
  /** The default: passed when the argument is left out. Undefined when the manifest gives none. */
  fallback: unknown;
  /** JSON Schema of the items of an array. */
  items: Record<string, unknown> | null;
  /**
   * The argument is passed as `<flag> <value>` instead of by its position. fledge has no such key; it is Patchbay's
   * addition.
   */
  flag: string | null;
}

/** Reads the arguments of one command; null when none are declared. What is wrong is added to `problems`. */
export function readArguments(
  value: unknown,
  field: string,
  problems: ManifestProblems,
): CommandArgument[] | null {
  if (value === undefined) return null;
  if (!Array.isArray(value)) {
    problems.add(
      field,
      `\`${field}\` must be a list of tables, but it is ${words(value)}. The plugin's author must correct it.`,
    );
    return null;
  }
  const args = value.flatMap((entry: unknown, index) => readArgument(entry, `${field}[${index}]`, problems));
  const names = new Set<string>();
  for (const { name } of args) {
    if (names.has(name))
      problems.add(
        field,
        `The argument “${name}” is declared twice in \`${field}\`. The plugin's author must remove one.`,
      );
    names.add(name);
  }
  return args.length > 0 ? args : null;
}

/**
 * Whether a command takes free words instead of named arguments: nothing is declared, or one text argument named
 * `args`.
 */
export function takesWords(args: readonly CommandArgument[] | null): boolean {
  return args === null || (args.length === 1 && args[0]?.name === "args" && args[0].type === "string");
}

/** The JSON Schema of a command's arguments, for the model. */
export function inputSchema(args: readonly CommandArgument[] | null): Record<string, unknown> {
  if (takesWords(args)) {
    const declared = args?.[0];
    return {
      type: "object",
      properties: {
        args: {
          description:
            declared?.description ||
            "The command line arguments: one text with shell quoting, or a list of texts.",
          anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
        },
      },
      required: declared?.required ? ["args"] : [],
      additionalProperties: false,
    };
  }
  return {
    type: "object",
    properties: Object.fromEntries((args ?? []).map((argument) => [argument.name, schemaOf(argument)])),
    required: (args ?? []).filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function schemaOf(argument: CommandArgument): Record<string, unknown> {
  const { type, description, choices, fallback, items } = argument;
  return {
    type,
    ...(description && { description }),
    ...(choices && { enum: choices }),
    ...(fallback !== undefined && { default: fallback }),
    ...(type === "array" && items && { items }),
  };
}

function readArgument(entry: unknown, field: string, problems: ManifestProblems): CommandArgument[] {
  if (!isTable(entry)) {
    problems.add(
      field,
      `\`${field}\` must be a table, but it is ${words(entry)}. The plugin's author must correct it.`,
    );
    return [];
  }
  const name = readText(entry, "name", `${field}.name`, problems) ?? "";
  if (name === "" || name === "__proto__") {
    problems.add(
      `${field}.name`,
      `\`${field}.name\` is ${name === "" ? "missing or empty" : "a name that cannot be used"}. The plugin's author must correct it.`,
    );
  }
  const choices = entry.choices ?? entry.enum ?? null;
  if (choices !== null && !(Array.isArray(choices) && choices.length > 0)) {
    problems.add(
      `${field}.choices`,
      `\`${field}.choices\` must be a list with something in it. The plugin's author must correct it.`,
    );
  }
  const flag = readText(entry, "flag", `${field}.flag`, problems) ?? null;
  if (flag !== null && !flag.startsWith("-")) {
    problems.add(
      `${field}.flag`,
      `\`${field}.flag\` must begin with a dash, but it is “${flag}”. The plugin's author must correct it.`,
    );
  }
  const type = readType(entry.type, name, field, problems);
  if (entry.default !== undefined && !fits(type, entry.default)) {
    problems.add(
      `${field}.default`,
      `\`${field}.default\` must be of the type ${type}, but it is ${words(entry.default)}. The plugin's author must correct it.`,
    );
  }
  return [
    {
      name,
      type,
      required: readRequired(entry.required, field, problems),
      description: readText(entry, "description", `${field}.description`, problems) ?? "",
      choices: Array.isArray(choices) && choices.length > 0 ? choices : null,
      fallback: entry.default,
      items: isTable(entry.items)
        ? entry.items
        : typeof entry.items === "string"
          ? { type: entry.items }
          : null,
      flag,
    },
  ];
}

function readType(value: unknown, name: string, field: string, problems: ManifestProblems): ArgumentType {
  if (value === undefined) return "string";
  const known = argumentTypes.find((type) => type === value);
  if (known) return known;
  if (typeof value !== "string") {
    problems.add(
      `${field}.type`,
      `\`${field}.type\` must be the name of a type, but it is ${words(value)}. The plugin's author must correct it.`,
    );
  } else problems.warn(`The argument “${name}” has the unknown type “${value}” and is taken as text.`);
  return "string";
}

function readRequired(value: unknown, field: string, problems: ManifestProblems): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  problems.add(
    `${field}.required`,
    `\`${field}.required\` must be true or false, but it is ${words(value)}. The plugin's author must correct it.`,
  );
  return false;
}

/** Whether a value is of a declared type. */
export function fits(type: ArgumentType, value: unknown): boolean {
  switch (type) {
    case "string":
    case "boolean":
      return typeof value === type;
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isTable(value);
  }
}
