import { Kw, kw, Sym, sym } from "../values/names.ts";
import { Tuple } from "../values/sequences.ts";
import { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { makeClosure } from "../vm/closures.ts";
import { CAPTURED, Code, type Frame } from "../vm/code.ts";
import { sequence, sequenceOf } from "./blocks.ts";
import type { Compiler } from "./compile.ts";
import { localLeaf } from "./definitions.ts";
import { type Bind, destructure } from "./destructure.ts";
import { type Node, plain } from "./node.ts";
import { FunctionScope } from "./scope.ts";

const marks = { rest: sym("&"), optional: sym("&opt"), keys: sym("&keys"), named: sym("&named") };

interface Parameters {
  positional: Value[];
  min: number;
  max: number;
  rest: Code["rest"];
  /** The pattern that the rest is bound to. */
  restPattern: Value | undefined;
}

/** `(fn name? [params] body…)`. */
export function functionNode(compiler: Compiler, form: Tuple): Node {
  const { items } = form;
  if (items.length < 2) compiler.fail("expected at least 1 argument to function literal");
  const first = items[1] as Value;
  const named = first instanceof Sym || first instanceof Kw;
  const parameters = items[named ? 2 : 1];
  if (!(parameters instanceof Tuple)) compiler.fail("expected function parameters");
  const code = new Code();
  code.name = named ? first.name : "";
  const scope = compileCode(
    compiler,
    code,
    first instanceof Sym ? first : null,
    parametersOf(compiler, parameters.items),
    items.slice(named ? 3 : 2),
  );
  const captures = scope.captures.map(({ name, found }) => ({ name, mutable: found.mutable }));
  code.origin = { form, captures, bindings: scope.bindings, cfunctions: scope.cfunctions };
  return closureNode(code, scope);
}

/** The node that makes a closure of a code in the function around it. */
function closureNode(code: Code, scope: FunctionScope): Node {
  const captures = scope.captures.map(({ found }) => ({ inFrame: found.kind === "slot", at: found.at }));
  if (captures.length === 0) return plain(() => makeClosure(code, []));
  return plain((frame: Frame) => {
    const captured = new Array<unknown>(captures.length);
    for (let at = 0; at < captures.length; at++) {
      const capture = captures[at] as { inFrame: boolean; at: number };
      captured[at] = capture.inFrame ? frame[capture.at] : frame[CAPTURED][capture.at];
    }
    return makeClosure(code, captured);
  });
}

function compileCode(
  compiler: Compiler,
  code: Code,
  self: Sym | null,
  parameters: Parameters,
  body: readonly Value[],
): FunctionScope {
  const outer = compiler.scope;
  const scope = new FunctionScope(outer);
  compiler.scope = scope;
  try {
    code.source = compiler.source;
    code.line = compiler.line;
    code.column = compiler.column;
    code.min = parameters.min;
    code.max = parameters.max;
    code.positional = parameters.positional.length;
    code.rest = parameters.rest;
    const rest = parameters.restPattern;
    const patterns = rest === undefined ? parameters.positional : [...parameters.positional, rest];
    const slots = patterns.map(() => scope.newSlot());
    if (parameters.rest === "ignored") scope.newSlot();
    if (self) code.self = scope.define(self, false);
    const binds: { slot: number; bind: Bind }[] = [];
    for (const [at, pattern] of patterns.entries()) {
      const slot = slots[at] as number;
      if (pattern instanceof Sym) scope.bind(pattern, { kind: "slot", slot, mutable: false });
      else binds.push({ slot, bind: destructure(compiler, pattern, localLeaf(compiler, false)) });
    }
    const inner = sequence(compiler, body, { tail: true, flow: true });
    const unpacked = binds.map(
      ({ slot, bind }): Node => ({ plain: bind.plain, run: (frame: Frame) => bind.run(frame, frame[slot]) }),
    );
    code.body = (unpacked.length === 0 ? inner : sequenceOf([...unpacked, inner])).run;
    code.size = scope.size;
    return scope;
  } finally {
    compiler.scope = outer;
  }
}

function parametersOf(compiler: Compiler, items: readonly Value[]): Parameters {
  const found: Parameters = { positional: [], min: -1, max: 0, rest: "none", restPattern: undefined };
  const named = new Table();
  let seenRest = false;
  let inNamed = false;
  for (const [at, item] of items.entries()) {
    const left = items.length - 1 - at;
    if (inNamed) {
      if (!(item instanceof Sym)) compiler.fail("only named arguments can follow &named");
      named.put(kw(item.name), item);
    } else if (item === marks.optional) {
      if (found.min >= 0) compiler.fail("only one &opt allowed");
      if (left === 0) compiler.fail("&opt cannot be last item in parameter list");
      found.min = found.positional.length;
    } else if (item === marks.rest) {
      if (seenRest || left > 1) compiler.fail("& in unexpected location");
      seenRest = true;
      found.rest = left === 0 ? "ignored" : "tuple";
    } else if (item === marks.keys) {
      if (seenRest || left !== 1) compiler.fail("&keys in unexpected location");
      seenRest = true;
      found.rest = "struct";
    } else if (item === marks.named) {
      if (seenRest) compiler.fail("&named in unexpected location");
      seenRest = true;
      inNamed = true;
      found.rest = "struct";
      found.restPattern = named;
    } else if (seenRest) found.restPattern = item;
    else found.positional.push(item);
  }
  found.max = found.rest === "none" ? found.positional.length : Number.POSITIVE_INFINITY;
  if (found.min < 0) found.min = found.positional.length;
  return found;
}

/** A form as a function without parameters. */
export function thunkCode(compiler: Compiler, form: Value): Code {
  const code = new Code();
  code.name = "thunk";
  code.isThunk = true;
  code.source = compiler.source;
  const node = compiler.value(form, { tail: true, flow: true });
  code.line = -1;
  code.size = compiler.scope.size;
  code.body = node.run;
  return code;
}
