import { z } from "zod";
import type { ToolInfo, Trust } from "../../../../contract/index.ts";
import { cleanText } from "../../../../contract/shown/clean-text.ts";
import { type MirroredParam, mirroredParams } from "./param-headers.ts";
import { toolNames } from "./tool-names.ts";
import { isUsableSchema } from "./usable-schema.ts";

/** Most characters of a description that a model is told. */
const MOST_DESCRIPTION = 8_000;

/** A tool as a server lists it. Only its name and the kind of its schema must be right; the rest may be missing. */
const listedSchema = z.object({
  name: z.string().min(1).max(1_000),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).optional().catch(undefined),
  annotations: z
    .looseObject({
      title: z.string().optional().catch(undefined),
      readOnlyHint: z.boolean().optional().catch(undefined),
      destructiveHint: z.boolean().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  execution: z
    .object({ taskSupport: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});
export type ListedTool = z.infer<typeof listedSchema>;

/** What a server's list comes to: the tools that can be used, and a sentence about what was left out. */
export interface OfferedTools {
  tools: ToolInfo[];
  /** The server's own name of a tool, by its full name. */
  ownNames: Map<string, string>;
  listed: Map<string, ListedTool>;
  /** By the server's own name of a tool: arguments that are sent in headers, too. Tools without such are not in it. */
  mirrored: Map<string, MirroredParam[]>;
  notes: string[];
}

/**
 * Judges a list of tools. A faulty one is left out, and only that one.
 *
 * @param raw as the server sent them
 * @param owner `mirrors`: the server is asked in a way in which arguments can be wanted in headers, too
 */
export function offeredTools(
  raw: readonly unknown[],
  { key, trust, mirrors = false }: { key: string; trust: Trust | undefined; mirrors?: boolean },
): OfferedTools {
  const mirrored = new Map<string, MirroredParam[]>();
  const listed = new Map<string, ListedTool>();
  const faulty: string[] = [];
  const background: string[] = [];
  for (const [index, one] of raw.entries()) {
    const parsed = listedSchema.safeParse(one);
    const params = parsed.success && mirrors ? mirroredParams(parsed.data.inputSchema) : [];
    if (!parsed.success || params === null || !isUsableSchema(parsed.data.inputSchema))
      faulty.push(nameIn(one) ?? `number ${index + 1}`);
    else if (parsed.data.execution?.taskSupport === "required") background.push(parsed.data.name);
    else if (!listed.has(parsed.data.name)) {
      listed.set(parsed.data.name, parsed.data);
      if (params.length > 0) mirrored.set(parsed.data.name, params);
    }
  }
  const names = toolNames(key, [...listed.keys()]);
  const ownNames = new Map<string, string>();
  const tools: ToolInfo[] = [];
  for (const [own, full] of names) {
    const tool = listed.get(own) as ListedTool;
    ownNames.set(full, own);
    tools.push(infoOf(tool, full, { key, trust }));
  }
  const notes = [
    ...(faulty.length > 0
      ? [
          `${faulty.length} of ${raw.length} tools ${faulty.length === 1 ? "is" : "are"} left out, ${faulty.length === 1 ? "its" : "their"} description is faulty: ${faulty.slice(0, 10).join(", ")}.`,
        ]
      : []),
    ...background.map(
      (name) => `${name} runs as a background task, which Patchbay cannot do. It is left out.`,
    ),
  ];
  return { tools, ownNames, listed, mirrored, notes };
}

function infoOf(
  { name, title, description = "", inputSchema, annotations }: ListedTool,
  full: string,
  { key, trust }: { key: string; trust: Trust | undefined },
): ToolInfo {
  // What a server says of its own harmlessness counts only where it is vouched for.
  const believed = trust === "official" || trust === "built-in";
  const destroys = annotations?.destructiveHint === true;
  const reads = annotations?.readOnlyHint === true;
  return {
    name: full,
    title: `${key}.${name}`,
    label: cleanText(title ?? annotations?.title ?? name).slice(0, 200),
    description: cleanText(description).slice(0, MOST_DESCRIPTION),
    parameters: { type: "object", ...inputSchema },
    readOnly: believed && reads,
    danger: destroys ? "dangerous" : believed && reads ? "safe" : "unknown",
    owner: key,
  };
}

function nameIn(one: unknown): string | undefined {
  const named = z.object({ name: z.string().min(1) }).safeParse(one);
  return named.success ? cleanText(named.data.name).slice(0, 100) : undefined;
}
