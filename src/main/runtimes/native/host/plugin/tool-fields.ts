import { meantBy } from "@patchbay/plugin-sdk/describe";
import { isObject } from "../../../../../contract/is-object.ts";

/** Fields of a tool: ours, and those that only tools written for pi have. */
const known = [
  "name",
  "label",
  "description",
  "parameters",
  "readOnly",
  "execute",
  "prepareArguments",
  "executionMode",
];

/** What MCP and others call them. */
const others = {
  title: "label",
  summary: "description",
  schema: "parameters",
  input: "parameters",
  args: "parameters",
  arguments: "parameters",
  annotations: "readOnly",
  readOnlyHint: "readOnly",
  handler: "execute",
  run: "execute",
  call: "execute",
  callback: "execute",
};

/** Where MCP and Anthropic's API have what is `parameters` here. */
const schemas = ["inputSchema", "input_schema"];

/** The schema of a tool's input: `parameters`, or what MCP has in its place, when it is a schema. */
export function schemaOf(tool: object): unknown {
  const { parameters } = tool as { parameters?: unknown };
  if (parameters !== undefined && parameters !== null) return parameters;
  return schemas.map((name) => (tool as Record<string, unknown>)[name]).find(isSchema) ?? parameters;
}

/**
 * Sentences about fields of a tool that are no fields of one, where another was probably meant. A tool may have fields of
 * its own beside them, of which nothing is said.
 */
export function unknownInTool(name: string, tool: unknown): string[] {
  if (!isObject(tool)) return [];
  return Object.keys(tool).flatMap((field) => {
    if (known.includes(field) || tool[field] === undefined) return [];
    if (schemas.includes(field)) return aboutSchema(name, field, tool);
    const meant = meantBy(field, known, others);
    if (meant === undefined || tool[meant] !== undefined) return [];
    return [
      `The tool \`${name}\` has a field \`${field}\` that Patchbay does not know; it is ignored. Perhaps \`${meant}\` is meant.`,
    ];
  });
}

function aboutSchema(name: string, field: string, tool: Record<string, unknown>): string[] {
  if (tool.parameters !== undefined && tool.parameters !== null) return [];
  return isSchema(tool[field])
    ? [`The tool \`${name}\` has \`${field}\` and no \`parameters\`; it is taken for them.`]
    : [
        `The tool \`${name}\` has \`${field}\`, which is no JSON Schema of an object; it is ignored, so the tool takes no arguments. \`parameters\` is meant.`,
      ];
}

function isSchema(value: unknown): boolean {
  if (!isObject(value)) return false;
  return value.type === "object" || isObject(value.properties) || isObject(value["~standard"]);
}
