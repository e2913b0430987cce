import { show } from "../../print/describe.ts";
import { Closure } from "../../values/functions.ts";
import { kw } from "../../values/names.ts";
import { JArray } from "../../values/sequences.ts";
import { tableOf } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import { CLOSURE, type Code, PARENT, POSITION } from "../../vm/code.ts";
import { Fiber } from "../../vm/fiber.ts";
import type { TraceLine } from "../../vm/janet-error.ts";
import { traceText } from "../../vm/stacktrace.ts";
import type { Vm } from "../../vm/vm.ts";
import { badSlot, bytesAt } from "../arguments.ts";
import { writeOut } from "../print/output.ts";
import type { Registrar } from "../registrar.ts";

const unknownPlace = { source: null, line: -1, column: -1, native: false, tail: false };
const MOST_FRAMES = 1_000;

function fiberAt(args: readonly Value[]): Fiber {
  return args[0] instanceof Fiber ? args[0] : badSlot(args, 0, "fiber");
}

/** `debug/*` without breakpoints: there is no bytecode to put them into. */
export function install(core: Registrar): void {
  core.cfun(
    "debug/stack",
    1,
    1,
    "(debug/stack fib)",
    "The frames of a fiber, innermost first, as tables.",
    (args, vm) => new JArray(framesOf(vm, fiberAt(args)).map(frameTable)),
  );
  core.cfun(
    "debug/lineage",
    1,
    1,
    "(debug/lineage fib)",
    "A fiber and those that it resumed and that have not come back.",
    (args) => {
      const fibers: Value[] = [];
      for (let each: Fiber | null = fiberAt(args); each; each = each.child) fibers.push(each);
      return new JArray(fibers);
    },
  );
  core.cfun(
    "debug/arg-stack",
    1,
    1,
    "(debug/arg-stack fiber)",
    "The arguments that wait to be passed: always none here.",
    (args) => {
      fiberAt(args);
      return new JArray([]);
    },
  );
  core.cgen(
    "debug/stacktrace",
    1,
    3,
    "(debug/stacktrace fiber &opt err prefix)",
    "Writes a fiber's stack trace to `:err`, after a line with err when there is a prefix.",
    function* (args, vm) {
      const fiber = fiberAt(args);
      const error = args[1] ?? null;
      const prefix = args.length > 2 && args[2] !== null ? bytesAt(args, 2) : null;
      const words = typeof error === "string" ? error : show(error);
      const head = prefix === null ? "" : `${prefix}${fiber.status}: ${words}\n`;
      yield* writeOut(vm, "err", head + traceText(fiber.trace));
      return fiber;
    },
  );
}

/** The calls of a fiber: those that its error passed, those under way, or the one with which it will start. */
function framesOf(vm: Vm, fiber: Fiber): TraceLine[] {
  if (fiber.status === "error") return fiber.trace;
  const lines: TraceLine[] = [];
  const isCurrent = fiber === vm.fiber;
  if (isCurrent) lines.push({ ...unknownPlace, name: "debug/stack", native: true });
  if (fiber.status === "new" && fiber.fn instanceof Closure) lines.push(lineOf(fiber.fn, 0));
  let frame = isCurrent ? vm.top : fiber.top;
  for (; frame !== null && lines.length < MOST_FRAMES; frame = frame[PARENT])
    lines.push(lineOf(frame[CLOSURE], frame[POSITION]));
  return lines;
}

function lineOf(closure: Closure, position: number): TraceLine {
  const { name, source, line, column } = closure.prototype as Code;
  return {
    ...unknownPlace,
    name,
    source,
    line: position === 0 ? line : Math.floor(position / 65_536),
    column: position === 0 ? column : position % 65_536,
    closure,
  };
}

function frameTable(line: TraceLine): Value {
  return tableOf([
    [kw("name"), line.name === "" ? null : line.name],
    [kw("function"), line.closure ?? null],
    [kw("source"), line.source],
    [kw("source-line"), line.line > 0 ? line.line : null],
    [kw("source-column"), line.line > 0 ? line.column : null],
    [kw("c"), line.native ? true : null],
    [kw("tail"), line.tail ? true : null],
  ]);
}
