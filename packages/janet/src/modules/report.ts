import { Abstract } from "../values/abstract.ts";
import { JBuffer } from "../values/sequences.ts";
import type { Value } from "../values/value.ts";
import type { Fiber } from "../vm/fiber.ts";
import { errorText } from "../vm/stacktrace.ts";
import type { Vm } from "../vm/vm.ts";
import type { SourceError } from "./run-source.ts";

/** Words about an error as Janet prints them, in bytes. */
export function parseErrorText(name: string, error: SourceError): string {
  return `${name}:${error.line}:${error.column}: parse error: ${error.words}`;
}

export function compileErrorText(name: string, error: SourceError): string {
  const place = error.line > 0 ? `${name}:${error.line}:${error.column}` : name;
  return `${place}: compile error: ${error.words}`;
}

/** Writes to what `:err` is bound to, else to the host's standard error. */
export function tell(vm: Vm, bytes: string): void {
  const target = vm.dyn("err");
  if (target instanceof JBuffer) target.pushString(bytes);
  else if (target instanceof Abstract && target.type.write) target.type.write(target.data, bytes, vm);
  else vm.host.stderr(bytes);
}

/** A fiber's error and its stack trace as Janet prints them. */
export function traceOf(fiber: Pick<Fiber, "status" | "trace">, value: Value): string {
  return errorText(value, fiber.trace, "", fiber.status);
}
