import type { CommandCallContext, ToolCallContext, Toolset } from "@patchbay/plugin-sdk";
import { isObject } from "../../../../../contract/is-object.ts";
import { HostError } from "../../../hosted/node/host-error.ts";
import { type HostTool, MAX_TOOL_NAME, MAX_TOOLS } from "../protocol.ts";
import { isThenable } from "./manifest.ts";
import { findZod, needsZod, toJsonSchema, type ZodConverter } from "./schemas.ts";
import { schemaOf, unknownInTool } from "./tool-fields.ts";
import { argumentNames, formsOf, guarded, type ToolForm } from "./tool-form.ts";
import { type ToolOutput, textOf, toOutput } from "./tool-output.ts";

export interface ToolCall extends CommandCallContext {
  toolCallId: string;
  onUpdate(text: string): void;
}
export interface RunnableTool {
  info: HostTool;
  run(input: Record<string, unknown>, call: ToolCall): ToolOutput | Promise<ToolOutput>;
}

/**
 * The tools of all toolsets by name, checked, and adapted to one signature.
 *
 * @param dir folder of the plugin, where its own zod is looked for
 * @param warn told of fields of tools that mean nothing
 * @throws HostError TOO_MANY_TOOLS, NAME_CLASH or MANIFEST_INVALID, naming the tool
 */
export async function collectTools(
  namespace: string,
  toolsets: readonly Toolset[],
  dir: string,
  warn: (text: string) => void,
): Promise<Map<string, RunnableTool>> {
  const early = toolsets.some((toolset) =>
    toolset?.tools?.some?.((tool) => needsZod(isObject(tool) ? schemaOf(tool) : undefined)),
  );
  const zod = early ? await findZod(dir) : undefined;
  const given = toolsets.flatMap(toolsOf);
  const forms = formsOf(given);
  const tools = new Map<string, RunnableTool>();
  for (const [index, tool] of given.entries()) {
    const runnable = toRunnable(namespace, tool, forms[index] ?? "unclear", zod);
    for (const sentence of unknownInTool(runnable.info.name, tool)) warn(sentence);
    if (tools.has(runnable.info.name)) {
      throw new HostError("NAME_CLASH", `The plugin offers the tool \`${runnable.info.name}\` twice.`);
    }
    tools.set(runnable.info.name, runnable);
  }
  if (tools.size > MAX_TOOLS) {
    throw new HostError(
      "TOO_MANY_TOOLS",
      `The plugin offers ${tools.size} tools; at most ${MAX_TOOLS} are allowed.`,
    );
  }
  return tools;
}

function toolsOf(toolset: Toolset): Record<string, unknown>[] {
  if (!isObject(toolset) || !Array.isArray(toolset.tools)) {
    throw new HostError("MANIFEST_INVALID", "`tools.start` returned a toolset without a list of `tools`.");
  }
  return toolset.tools.map((tool: unknown) => {
    if (isObject(tool)) return tool;
    throw new HostError("MANIFEST_INVALID", "A toolset holds something that is not a tool.");
  });
}

function toRunnable(
  namespace: string,
  tool: Record<string, unknown>,
  form: ToolForm,
  zod: ZodConverter | undefined,
): RunnableTool {
  const { name, label, description, readOnly, execute } = tool;
  if (typeof name !== "string" || !/^[A-Za-z0-9_-]+$/.test(name)) {
    throw new HostError(
      "MANIFEST_INVALID",
      `A tool is named \`${String(name)}\`; a name holds letters, digits, \`_\` and \`-\` only.`,
    );
  }
  const joined = `${namespace}__${name}`;
  if (joined.length > MAX_TOOL_NAME) {
    throw new HostError(
      "MANIFEST_INVALID",
      `The tool name \`${joined}\` has ${joined.length} characters; model providers accept at most ${MAX_TOOL_NAME}.`,
    );
  }
  if (typeof execute !== "function") {
    const perhaps = unknownInTool(name, tool).join(" ");
    throw new HostError(
      "MANIFEST_INVALID",
      `The tool \`${name}\` has no \`execute\` function. ${perhaps}`.trim(),
    );
  }
  const info: HostTool = {
    name,
    ...(typeof label === "string" && { label: textUpTo(label, MAX_TEXT) }),
    description: textUpTo(description, MAX_TEXT),
    parameters: parametersOf(name, schemaOf(tool), zod),
    readOnly: readOnly === true,
  };
  const bound = execute.bind(tool);
  switch (form) {
    case "pi":
      return { info, run: runPi(bound) };
    case "patchbay":
      return { info, run: runPlugin(bound) };
    case "unclear":
      return {
        info,
        run: runPlugin((input, call) => bound(input, guarded(call, name, argumentNames(info)))),
      };
  }
}

/** Longest description that is passed on, characters. */
export const MAX_TEXT = 16 * 1024;

export function textUpTo(value: unknown, most: number): string {
  return typeof value === "string" ? value.slice(0, most) : "";
}

/**
 * A tool's parameters as a JSON Schema in plain data. The schemas of libraries carry symbols and functions, which
 * cannot be sent.
 */
function parametersOf(
  name: string,
  parameters: unknown,
  zod: ZodConverter | undefined,
): Record<string, unknown> {
  if (parameters === undefined || parameters === null) return { type: "object", properties: {} };
  const schema = plain(name, toJsonSchema(parameters, zod));
  if (!isObject(schema) || Array.isArray(schema)) {
    throw new HostError(
      "MANIFEST_INVALID",
      `The \`parameters\` of the tool \`${name}\` are not a JSON Schema.`,
    );
  }
  if (schema.type === undefined) return { ...schema, type: "object" };
  if (schema.type !== "object") {
    throw new HostError(
      "MANIFEST_INVALID",
      `The \`parameters\` of the tool \`${name}\` describe ${JSON.stringify(schema.type)}; they must describe an object.`,
    );
  }
  return schema;
}

function plain(name: string, schema: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(schema));
  } catch {
    throw new HostError("MANIFEST_INVALID", `The \`parameters\` of the tool \`${name}\` are not plain data.`);
  }
}

function runPi(execute: (...args: unknown[]) => unknown): RunnableTool["run"] {
  return async (input, call) =>
    toOutput(
      await execute(call.toolCallId, input, call.signal, (partial: unknown) =>
        call.onUpdate(textOf(partial)),
      ),
    );
}

function runPlugin(execute: (input: Record<string, unknown>, call: object) => unknown): RunnableTool["run"] {
  return (input, call) => {
    const context: Omit<ToolCallContext, "onUpdate"> & { onUpdate(partial: unknown): void } = {
      toolCallId: call.toolCallId,
      agentId: call.agentId,
      sessionId: call.sessionId,
      caller: call.caller,
      signal: call.signal,
      get effects() {
        return call.effects;
      },
      onUpdate: (partial) => call.onUpdate(textOf(partial)),
    };
    const result = execute(input, context);
    return isThenable(result) ? Promise.resolve(result).then(toOutput) : toOutput(result);
  };
}
