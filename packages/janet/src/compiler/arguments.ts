import { show } from "../print/describe.ts";
import type { Call } from "../values/functions.ts";
import { JArray, Tuple } from "../values/sequences.ts";
import type { Value } from "../values/value.ts";
import type { Frame } from "../vm/code.ts";
import { panic } from "../vm/janet-error.ts";
import { isCall } from "../vm/step.ts";
import type { Compiler } from "./compile.ts";
import { item, type Node, type Plain } from "./node.ts";

/** Arguments of a call, or items of a literal. */
export interface Arguments {
  readonly nodes: readonly Node[];
  /** How many there are without spliced ones. */
  readonly fixed: number;
  readonly spliced: boolean;
  readonly plain: boolean;
  /** All values are known. */
  readonly constants: readonly Value[] | null;
  /** Their values in a fresh list, or a call that gives it. */
  readonly run: (frame: Frame) => Value[] | ListCall;
  /** `run` of {@link plain} ones. */
  readonly plainly: (frame: Frame) => Value[];
}

/** A call that gives a list of values. */
export type ListCall = Call & { readonly list?: never };

export function compileArguments(compiler: Compiler, forms: readonly Value[]): Arguments {
  const nodes: Node[] = [];
  for (const form of forms) nodes.push(compiler.value(form, item));
  return argumentsOf(nodes);
}

export function argumentsOf(nodes: readonly Node[]): Arguments {
  const spliced = nodes.some((node) => node.splice);
  const plain = nodes.every((node) => node.plain);
  const runs = nodes.map((node) => node.run);
  return {
    nodes,
    fixed: nodes.filter((node) => !node.splice).length,
    spliced,
    plain,
    constants:
      !spliced && nodes.every((node) => node.constant)
        ? nodes.map((node) => node.constant?.value as Value)
        : null,
    run: spliced ? (frame) => spread(nodes, frame) : (frame) => list(runs, frame),
    plainly: spliced ? (frame) => spread(nodes, frame) as Value[] : plainList(runs as Plain[]),
  };
}

function plainList(runs: readonly Plain[]): (frame: Frame) => Value[] {
  const [a, b, c, d] = runs as [Plain, Plain, Plain, Plain];
  switch (runs.length) {
    case 0:
      return () => [];
    case 1:
      return (frame) => [a(frame)];
    case 2:
      return (frame) => [a(frame), b(frame)];
    case 3:
      return (frame) => [a(frame), b(frame), c(frame)];
    case 4:
      return (frame) => [a(frame), b(frame), c(frame), d(frame)];
  }
  return (frame) => {
    const values = new Array<Value>(runs.length);
    for (let at = 0; at < runs.length; at++) values[at] = (runs[at] as Plain)(frame);
    return values;
  };
}

function list(runs: readonly Node["run"][], frame: Frame): Value[] | ListCall {
  const values: Value[] = [];
  for (let at = 0; at < runs.length; at++) {
    const step = (runs[at] as Node["run"])(frame);
    if (isCall(step)) return restOfList(runs, frame, values, at, step) as ListCall;
    values.push(step);
  }
  return values;
}

function* restOfList(
  runs: readonly Node["run"][],
  frame: Frame,
  values: Value[],
  at: number,
  call: Call,
): Call {
  values.push(yield* call);
  while (++at < runs.length) {
    const step = (runs[at] as Node["run"])(frame);
    values.push(isCall(step) ? yield* step : step);
  }
  return values as unknown as Value;
}

function spread(nodes: readonly Node[], frame: Frame): Value[] | ListCall {
  const values: Value[] = [];
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as Node;
    const step = node.run(frame);
    if (isCall(step)) return restOfSpread(nodes, frame, values, at, step) as ListCall;
    take(values, node, step);
  }
  return values;
}

function* restOfSpread(nodes: readonly Node[], frame: Frame, values: Value[], at: number, call: Call): Call {
  take(values, nodes[at] as Node, yield* call);
  while (++at < nodes.length) {
    const node = nodes[at] as Node;
    const step = node.run(frame);
    take(values, node, isCall(step) ? yield* step : step);
  }
  return values as unknown as Value;
}

function take(values: Value[], node: Node, value: Value): void {
  if (!node.splice) values.push(value);
  else if (value instanceof JArray || value instanceof Tuple)
    for (const each of value.items) values.push(each);
  else panic(`expected array or tuple, got ${show(value)}`);
}
