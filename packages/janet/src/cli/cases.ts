import { makeVm } from "../core/core.ts";
import { closeAll } from "../core/os/open.ts";
import { pretty } from "../print/pretty.ts";
import { toBytes, toText } from "../values/bytes.ts";
import { kw } from "../values/names.ts";
import { JBuffer } from "../values/sequences.ts";
import { Table } from "../values/tables.ts";
import { typeName } from "../values/types.ts";
import type { Fiber } from "../vm/fiber.ts";
import type { Host } from "../vm/host.ts";
import { Interrupted, JanetError } from "../vm/janet-error.ts";
import { SourceError, sourceFiber } from "../vm/run-source.ts";
import type { Vm } from "../vm/vm.ts";

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

const host: Host = {
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
  const vm = makeVm({ ...host });
  const env = new Table();
  env.proto = vm.core;
  const out = new JBuffer();
  env.put(kw("out"), out);
  const outcome = await outcomeOf(vm, sourceFiber(vm, toBytes(code), env, null), millis);
  if (out.length > 0) outcome.stdout = toText(out.text());
  vm.tasks.interruptAll();
  closeAll(vm);
  return outcome;
}

async function outcomeOf(vm: Vm, fiber: Fiber, millis: number | undefined): Promise<Outcome> {
  try {
    return { value: toText(pretty(await vm.tasks.run(fiber, { millis }))) };
  } catch (error) {
    if (error instanceof SourceError) {
      const { phase, message, line, column } = error;
      return { phase, error: toText(message), line, column };
    }
    if (error instanceof Interrupted) return { phase: "run", error: "the time is up" };
    if (!(error instanceof JanetError)) throw error;
    const { value } = error;
    if (typeof value === "string") return { phase: "run", error: toText(value) };
    return { phase: "run", error: toText(pretty(value)), errorType: typeName(value) };
  }
}
