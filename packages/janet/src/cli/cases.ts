import { makeCore } from "../core/core.ts";
import { pretty } from "../print/pretty.ts";
import { toBytes } from "../values/bytes.ts";
import { kw } from "../values/names.ts";
import { JBuffer } from "../values/sequences.ts";
import { Table } from "../values/tables.ts";
import { typeName } from "../values/types.ts";
import type { Value } from "../values/value.ts";
import type { Fiber } from "../vm/fiber.ts";
import type { Host } from "../vm/host.ts";
import { JanetError } from "../vm/janet-error.ts";
import { SourceError, sourceFiber } from "../vm/run-source.ts";
import { Vm } from "../vm/vm.ts";

/** What came of a program, as `janet-truth.json` tells it. */
export interface Outcome {
  value?: string;
  error?: string;
  phase?: "parse" | "compile" | "run";
  errorType?: string;
  stdout?: string;
  line?: number;
  column?: number;
}

const host: Host = {
  capabilities: { readFiles: () => true, writeFiles: () => true, environment: () => true },
  stdout: () => {},
  stderr: () => {},
  cwd: process.cwd(),
  args: [],
};

/** Runs a program in a fresh engine. */
export async function runCase(code: string): Promise<Outcome> {
  const vm = new Vm(makeCore(), host);
  const env = new Table();
  env.proto = vm.core;
  const out = new JBuffer();
  env.put(kw("out"), out);
  const outcome = await outcomeOf(vm, sourceFiber(vm, toBytes(code), env, null));
  if (out.length > 0) outcome.stdout = new TextDecoder().decode(out.bytes.subarray(0, out.length));
  return outcome;
}

async function outcomeOf(vm: Vm, fiber: Fiber): Promise<Outcome> {
  try {
    return { value: shown(await vm.tasks.run(fiber)) };
  } catch (error) {
    if (error instanceof SourceError) {
      const { phase, message, line, column } = error;
      return { phase, error: message, line, column };
    }
    if (!(error instanceof JanetError)) throw error;
    const { value } = error;
    if (typeof value === "string") return { phase: "run", error: value };
    return { phase: "run", error: shown(value), errorType: typeName(value) };
  }
}

function shown(value: Value): string {
  return pretty(value);
}
