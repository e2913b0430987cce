import type { JsonSchema, PluginTool, ToolCallContext, ToolResult } from "./manifest.ts";
import { type DescribedSchema, parserOf, schemaOf } from "./schema.ts";

type Answer = Promise<ToolResult | string> | ToolResult | string;

export interface TypedTool<Input> {
  name: string;
  label?: string;
  description: string;
  /** Schema of the tool's input, which must be an object. */
  input: DescribedSchema<unknown, Input>;
  /** The tool changes nothing, so that a policy may allow it without asking. */
  readOnly?: boolean;
  execute(input: Input, call: ToolCallContext): Answer;
}

/** A tool whose input is typed and checked by a schema (zod 4 or any other that describes itself as JSON Schema). */
export function tool<Input>(definition: TypedTool<Input>): PluginTool {
  const { input, execute, ...rest } = definition;
  const parse = parserOf(input);
  const parameters: JsonSchema = schemaOf(input);
  return { ...rest, form: "patchbay", parameters, execute: (value, call) => execute(parse(value), call) };
}
