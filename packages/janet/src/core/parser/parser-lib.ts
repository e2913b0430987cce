import { show, textOf } from "../../print/describe.ts";
import { scanNumber } from "../../reader/numbers.ts";
import { Parser } from "../../reader/parser.ts";
import { type Kw, kw } from "../../values/names.ts";
import { JArray, Tuple } from "../../values/sequences.ts";
import { tableOf } from "../../values/tables.ts";
import { truthy, type Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";
import { abstractAt, bytesAt, integerAt, keywordAt, optional } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { delimitersOf, frameOf } from "./frames.ts";
import { newParser, parserMethods, parserType } from "./parser-type.ts";

/** A function of a parser; `rest`: how many arguments follow the parser. */
interface Method {
  readonly name: string;
  readonly rest: readonly [min: number, max: number];
  readonly usage: string;
  readonly doc: string;
  run(parser: Parser, args: Value[], vm: Vm): Value;
}

const methods: readonly Method[] = [
  {
    name: "consume",
    rest: [1, 2],
    usage: "(parser/consume parser bytes &opt index)",
    doc: "Reads bytes until they are used up or the parser stops at an error; gives how many it read.",
    run: consume,
  },
  {
    name: "byte",
    rest: [1, 1],
    usage: "(parser/byte parser b)",
    doc: "Reads one byte.",
    run(parser, args) {
      parser.byte(integerAt(args, 1) & 0xff);
      return args[0] as Value;
    },
  },
  {
    name: "eof",
    rest: [0, 0],
    usage: "(parser/eof parser)",
    doc: "Says that the source ends here; what is still open becomes an error.",
    run(parser, args) {
      parser.eof();
      return args[0] as Value;
    },
  },
  {
    name: "flush",
    rest: [0, 0],
    usage: "(parser/flush parser)",
    doc: "Forgets what was read and not yet taken.",
    run(parser, args) {
      parser.flush();
      return args[0] as Value;
    },
  },
  {
    name: "error",
    rest: [0, 0],
    usage: "(parser/error parser)",
    doc: "Gives the message of a parser's error and makes the parser usable again; nil when there is none.",
    run: (parser) => parser.error(),
  },
  {
    name: "status",
    rest: [0, 0],
    usage: "(parser/status parser)",
    doc: "Says what a parser is about: :root, :pending inside of a form, :error or :dead.",
    run: (parser) => kw(parser.status),
  },
  {
    name: "has-more",
    rest: [0, 0],
    usage: "(parser/has-more parser)",
    doc: "Says whether a value waits to be taken.",
    run: (parser) => parser.hasMore,
  },
  {
    name: "produce",
    rest: [0, 1],
    usage: "(parser/produce parser &opt wrap)",
    doc: "Takes the next value, in a tuple with its place in the source when wrap is true; nil when there is none.",
    run: produce,
  },
  {
    name: "where",
    rest: [0, 2],
    usage: "(parser/where parser &opt line col)",
    doc: "Gives line and column of a parser, after setting them when they are given.",
    run: where,
  },
  {
    name: "insert",
    rest: [1, 1],
    usage: "(parser/insert parser value)",
    doc: "Puts a value into what is being read, as if it stood there in the source.",
    run(parser, args) {
      parser.insert(args[1] as Value, textOf);
      return args[0] as Value;
    },
  },
  {
    name: "clone",
    rest: [0, 0],
    usage: "(parser/clone parser)",
    doc: "Makes a parser that goes on by itself from where this one is.",
    run: (parser) => newParser(parser.clone()),
  },
  {
    name: "state",
    rest: [0, 1],
    usage: "(parser/state parser &opt key)",
    doc: "Describes what is open in a parser: :delimiters as a string, :frames as tables, or both.",
    run: state,
  },
];

export function install(core: Registrar): void {
  core.cfun("parser/new", 0, 0, "(parser/new)", "Makes a parser of Janet source.", () => newParser());
  for (const { name, rest, usage, doc, run } of methods) {
    const native = core.cfun(`parser/${name}`, 1 + rest[0], 1 + rest[1], usage, doc, (args, vm) =>
      run(abstractAt(args, 0, parserType), args, vm),
    );
    parserMethods.set(kw(name), native);
  }
  core.fun("parse", 1, 1, "(parse str)", "Reads the first value of Janet source.", ([source = null], vm) => {
    const { parser, failure } = parsed(source, vm);
    const form = parser.produce();
    if (form) return form.value;
    return panic(failure ?? "no value");
  });
  core.fun(
    "parse-all",
    1,
    1,
    "(parse-all str)",
    "Reads all values of Janet source.",
    ([source = null], vm) => {
      const { parser, failure } = parsed(source, vm);
      if (failure !== null) panic(failure);
      const values = new JArray();
      for (let form = parser.produce(); form; form = parser.produce()) values.items.push(form.value);
      return values;
    },
  );
  core.cfun(
    "scan-number",
    1,
    2,
    "(scan-number str &opt base)",
    "Reads a number as the reader does, or nil when the text is none; base is that of its digits.",
    (args) => {
      const base = optional(args, 1, integerAt, 0);
      if (base !== 0 && (base < 2 || base > 36)) panic(`expected base between 2 and 36, got ${base}`);
      return scanNumber(bytesAt(args, 0), base) ?? null;
    },
  );
}

/** A parser that has read a whole source, and its error. */
function parsed(source: Value, vm: Vm): { readonly parser: Parser; readonly failure: string | null } {
  const parser = new Parser();
  parser.consume(bytesAt([null, source], 1), 0, (bytes) => vm.spend(bytes));
  if (parser.peekError() === null) parser.eof();
  return { parser, failure: parser.peekError() };
}

function consume(parser: Parser, args: Value[], vm: Vm): Value {
  const bytes = bytesAt(args, 1);
  const from = args.length > 2 ? integerAt(args, 2) : 0;
  if (from < 0 || from > bytes.length) panic(`invalid offset ${from} out of range [0,${bytes.length}]`);
  return parser.consume(bytes, from, (count) => vm.spend(count));
}

function produce(parser: Parser, args: Value[]): Value {
  const form = parser.produce();
  if (!form) return null;
  if (!truthy(args[1] ?? null)) return form.value;
  const wrapped = new Tuple([form.value]);
  wrapped.line = form.line;
  wrapped.column = form.column;
  return wrapped;
}

function where(parser: Parser, args: Value[]): Value {
  if (args.length > 1) {
    const line = integerAt(args, 1);
    if (line < 1) panic(`invalid line number ${line}`);
    parser.line = line;
  }
  if (args.length > 2) {
    const column = integerAt(args, 2);
    if (column < 0) panic(`invalid column number ${column}`);
    parser.column = column;
  }
  return new Tuple([parser.line, parser.column]);
}

function state(parser: Parser, args: Value[]): Value {
  const states = parser.frames();
  const parts: readonly [Kw, () => Value][] = [
    [kw("delimiters"), () => delimitersOf(states)],
    [kw("frames"), () => new JArray(states.map(frameOf))],
  ];
  if (args.length < 2) return tableOf(parts.map(([key, part]) => [key, part()]));
  const key = keywordAt(args, 1);
  const part = parts.find(([name]) => name === key);
  return part ? part[1]() : panic(`unexpected keyword ${show(key)}`);
}
