import { equals } from "../values/equality.ts";
import type { Native } from "../values/functions.ts";
import { kw, sym } from "../values/names.ts";
import {
  allInOrder,
  applyOperator,
  comparisons,
  getOr,
  getValue,
  inOr,
  inValue,
  lengthOf,
  negate,
  nextKey,
  type Operator,
  operators,
  putValue,
} from "../values/operators.ts";
import { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { type Frame, POSITION } from "../vm/code.ts";
import { Fiber } from "../vm/fiber.ts";
import { nextOf } from "../vm/fibers.ts";
import { begin } from "../vm/step.ts";
import type { Vm } from "../vm/vm.ts";
import type { Arguments } from "./arguments.ts";
import { made } from "./literals.ts";
import { constant, type Node, type Plain } from "./node.ts";

/** A call of a core function that is run without a call; null: this one is not. The number of arguments was checked. */
export function inlined(vm: Vm, callee: Native, args: Arguments, position: number): Node | null {
  if (args.spliced || callee.kind !== "function" || !isCore(vm, callee)) return null;
  const operator = operators.get(callee.name);
  if (operator) return arithmetic(vm, callee.name, operator, args, position);
  const compare = callee.name === "not=" ? unequal : comparisons.get(callee.name);
  if (compare) return comparison(callee.name, compare, args);
  if (callee.name === "next") return nextNode(vm, args, position);
  return access(vm, callee.name, args, position);
}

/** The function is the core's own of its name. */
function isCore(vm: Vm, callee: Native): boolean {
  const entry = vm.core.rawGet(sym(callee.name));
  return entry instanceof Table && entry.get(valueKey) === callee;
}

const valueKey = kw("value");

type Binary = (a: Value, b: Value) => Value;

function arithmetic(vm: Vm, name: string, operator: Operator, args: Arguments, position: number): Node {
  const count = args.fixed;
  if (count === 0) return constant(operator.none);
  if (count === 1 && name === "-")
    return positioned(
      made(args, (items) => negate(items[0] as Value, vm)),
      position,
    );
  if (count === 1)
    return positioned(
      made(args, (items) => applyOperator(operator, items, vm)),
      position,
    );
  const steps = args.nodes.slice(1).map((node): Binary => {
    const right = node.constant?.value;
    const { small, binary } = operator;
    if (small && typeof right === "number" && Number.isInteger(right) && right >= -128 && right <= 127)
      return (a) => small(a, right, vm);
    return (a, b) => binary(a, b, vm);
  });
  if (count === 2 && args.plain) return binaryNode(name, args, steps[0] as Binary, position);
  const node = made(args, (items) => {
    let result = items[0] as Value;
    for (let at = 0; at < steps.length; at++) result = (steps[at] as Binary)(result, items[at + 1] as Value);
    return result;
  });
  return positioned(node, position);
}

/** Two plain operands; numbers take no detour. */
function binaryNode(name: string, args: Arguments, slow: Binary, position: number): Node {
  const [a, b] = args.nodes.map(({ run }) => run) as [Plain, Plain];
  const right = args.nodes[1]?.constant?.value;
  const failing = (frame: Frame, x: Value, y: Value): Value => {
    frame[POSITION] = position;
    return slow(x, y);
  };
  let run: Plain;
  switch (name) {
    case "+":
      run =
        typeof right === "number"
          ? (frame) => {
              const x = a(frame);
              return typeof x === "number" ? x + right : failing(frame, x, right);
            }
          : (frame) => {
              const x = a(frame);
              const y = b(frame);
              return typeof x === "number" && typeof y === "number" ? x + y : failing(frame, x, y);
            };
      break;
    case "-":
      run =
        typeof right === "number"
          ? (frame) => {
              const x = a(frame);
              return typeof x === "number" ? x - right : failing(frame, x, right);
            }
          : (frame) => {
              const x = a(frame);
              const y = b(frame);
              return typeof x === "number" && typeof y === "number" ? x - y : failing(frame, x, y);
            };
      break;
    case "*":
      run = (frame) => {
        const x = a(frame);
        const y = b(frame);
        return typeof x === "number" && typeof y === "number" ? x * y : failing(frame, x, y);
      };
      break;
    default:
      run = (frame) => failing(frame, a(frame), b(frame));
  }
  return { plain: true, run };
}

const unequal = (a: Value, b: Value) => !equals(a, b);

function comparison(name: string, compare: (a: Value, b: Value) => boolean, args: Arguments): Node {
  if (args.fixed !== 2 || !args.plain) {
    return made(args, (items) => (name === "not=" ? !allInOrder(equals, items) : allInOrder(compare, items)));
  }
  const [a, b] = args.nodes.map(({ run }) => run) as [Plain, Plain];
  switch (name) {
    case "<":
      return {
        plain: true,
        run: (frame) => {
          const x = a(frame);
          const y = b(frame);
          return typeof x === "number" && typeof y === "number" ? x < y : compare(x, y);
        },
      };
    case ">":
      return {
        plain: true,
        run: (frame) => {
          const x = a(frame);
          const y = b(frame);
          return typeof x === "number" && typeof y === "number" ? x > y : compare(x, y);
        },
      };
  }
  return { plain: true, run: (frame) => compare(a(frame), b(frame)) };
}

/** Functions of two operands that are written out, by name. */
const pairs: Readonly<Record<string, Binary>> = { get: getValue, in: inValue };

/** Those of other numbers of operands. */
const accesses: Readonly<Record<string, (items: Value[], vm: Vm) => Value>> = {
  get: (items) => getOr(items[0] as Value, items[1] as Value, items[2] as Value),
  in: (items) => inOr(items[0] as Value, items[1] as Value, items[2] as Value),
  put: (items) => putValue(items[0] as Value, items[1] as Value, items[2] as Value),
  length: (items, vm) => lengthOf(items[0] as Value, vm),
};

function access(vm: Vm, name: string, args: Arguments, position: number): Node | null {
  const pair = args.fixed === 2 ? pairs[name] : undefined;
  if (pair && args.plain) return pairNode(args, pair, position);
  const compute = pair ? (items: Value[]) => pair(items[0] as Value, items[1] as Value) : accesses[name];
  return compute
    ? positioned(
        made(args, (items) => compute(items, vm)),
        position,
      )
    : null;
}

function pairNode(args: Arguments, pair: Binary, position: number): Node {
  const [a, b] = args.nodes.map(({ run }) => run) as [Plain, Plain];
  return {
    plain: true,
    run: (frame) => {
      const x = a(frame);
      const y = b(frame);
      frame[POSITION] = position;
      return pair(x, y);
    },
  };
}

/** `next`, which suspends for fibers alone. */
function nextNode(vm: Vm, args: Arguments, position: number): Node | null {
  const [a, b] = args.nodes.map(({ run }) => run) as [Plain, Plain | undefined];
  if (!args.plain) return null;
  return {
    plain: false,
    run: (frame) => {
      const ds = a(frame);
      const key = b ? b(frame) : null;
      frame[POSITION] = position;
      return ds instanceof Fiber ? begin(nextOf(vm, ds, key)) : nextKey(ds, key);
    },
  };
}

function positioned({ run, plain }: Node, position: number): Node {
  return {
    plain,
    run: (frame) => {
      frame[POSITION] = position;
      return run(frame);
    },
  };
}
