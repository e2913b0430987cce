import { readFile } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { PatchbayError } from "../../../contract/index.ts";
import { issueWords } from "../../../contract/shown/issue-words.ts";

const callSchema = z.strictObject({
  tool: z.string().min(1),
  input: z.record(z.string(), z.unknown()).default({}),
});

const stepSchema = z
  .strictObject({
    /** What the model says. */
    say: z.string().optional(),
    /** The tools it calls, by their wire names `namespace__tool`. */
    call: z.union([callSchema, z.array(callSchema).min(1)]).optional(),
    /** The model's provider fails with this message. */
    fail: z.string().optional(),
    /** Milliseconds before the answer, spread over its text. */
    delayMs: z.number().int().min(0).max(600_000).optional(),
  })
  .refine((step) => step.say !== undefined || step.call !== undefined || step.fail !== undefined, {
    message: "a step needs `say`, `call` or `fail`",
  });

export interface ScriptStep {
  say: string;
  calls: { tool: string; input: Record<string, unknown> }[];
  fail: string | undefined;
  delayMs: number;
}

/**
 * Reads the script of a scripted model: a YAML or JSON list of steps.
 * @throws PatchbayError SCRIPT_INVALID with the file and line
 */
export async function readScript(file: string, workspace: string): Promise<ScriptStep[]> {
  const path = isAbsolute(file) ? file : resolve(workspace, file);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? "it is not there" : error.message;
    throw new PatchbayError("SCRIPT_INVALID", `The script ${path} cannot be read: ${why}.`, {
      help: "Check the path of the script in the agent's model.",
    });
  });
  return parseScript(text, path);
}

/** @throws PatchbayError SCRIPT_INVALID with the line that is wrong */
export function parseScript(text: string, name: string): ScriptStep[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const error = document.errors[0];
  if (error) throw invalid(name, lines.linePos(error.pos[0]).line, error.message);
  const parsed = z.array(stepSchema).safeParse(document.toJS() ?? []);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw invalid(name, lineOf(document, lines, issue?.path ?? []), explain(issue));
  }
  return parsed.data.map((step) => ({
    say: step.say ?? "",
    calls: step.call === undefined ? [] : Array.isArray(step.call) ? step.call : [step.call],
    fail: step.fail,
    delayMs: step.delayMs ?? 0,
  }));
}

function explain(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return "it has the wrong shape";
  if (issue.path.length === 0) return "it must be a list of steps";
  const [, ...field] = issue.path;
  return `${field.length > 0 ? field.join(".") : "the step"} ${issueWords({ ...issue })}`;
}

/** The line of the deepest node on a path; the first line when there is none. */
function lineOf(
  document: ReturnType<typeof parseDocument>,
  lines: LineCounter,
  path: readonly PropertyKey[],
): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range)) {
      return lines.linePos(Number(node.range[0])).line;
    }
  }
  return 1;
}

function invalid(name: string, line: number, why: string): PatchbayError {
  return new PatchbayError("SCRIPT_INVALID", `Line ${line} of ${name} cannot be read: ${why}.`, {
    details: { file: name, line },
  });
}
