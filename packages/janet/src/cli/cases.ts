import { createEngine, EvaluationError } from "../engine.ts";
import { pretty } from "../print/pretty.ts";
import { toText } from "../values/bytes.ts";
import { kw } from "../values/names.ts";
import { JBuffer } from "../values/sequences.ts";
import { typeName } from "../values/types.ts";
import type { Host } from "../vm/host.ts";
import { Interrupted } from "../vm/janet-error.ts";

/** What came of a program, as `janet-truth.json` tells it; all texts are text. */
export interface Outcome {
  value?: string;
  error?: string;
  phase?: "parse" | "compile" | "run";
  errorType?: string;
  stdout?: string;
  line?: number;
  column?: number;
}

const host: Partial<Host> = {
  capabilities: {
    readFiles: () => true,
    writeFiles: () => true,
    environment: () => true,
    subprocess: () => true,
    network: () => true,
  },
  stdout: () => {},
  stderr: () => {},
  cwd: process.cwd(),
  args: [],
};

/** Runs a program in a fresh engine. `millis`: after which it is interrupted. */
export async function runCase(code: string, millis?: number): Promise<Outcome> {
  const engine = createEngine({ host });
  const environment = engine.newEnvironment();
  const out = new JBuffer();
  environment.put(kw("out"), out);
  const outcome = await engine
    .evaluate(code, { environment, millis })
    .then((value): Outcome => ({ value: toText(pretty(value)) }), failure);
  if (out.length > 0) outcome.stdout = toText(out.text());
  engine.dispose();
  return outcome;
}

function failure(error: unknown): Outcome {
  if (error instanceof Interrupted) return { phase: "run", error: "the time is up" };
  if (!(error instanceof EvaluationError)) throw error;
  const { phase, value, line, column } = error;
  if (phase !== "run") return { phase, error: toText(value as string), line, column };
  if (typeof value === "string") return { phase, error: toText(value) };
  return { phase, error: toText(pretty(value)), errorType: typeName(value) };
}
