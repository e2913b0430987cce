import { createInterface, type Interface } from "node:readline";
import { delimitersOf } from "../core/parser/frames.ts";
import { compileErrorText, parseErrorText, traceOf } from "../modules/report.ts";
import { type Running, runForm, whole } from "../modules/run-source.ts";
import { pretty } from "../print/pretty.ts";
import { Parser } from "../reader/parser.ts";
import { toBytes, toText } from "../values/bytes.ts";
import { type Call, Native } from "../values/functions.ts";
import { kw, Sym, sym } from "../values/names.ts";
import { Table } from "../values/tables.ts";
import { truthy, type Value } from "../values/value.ts";
import { makeFiber } from "../vm/fibers.ts";
import { Interrupted } from "../vm/janet-error.ts";
import type { Vm } from "../vm/vm.ts";
import type { CommandLine } from "./arguments.ts";

/**
 * Reads forms from the standard input, runs each and shows its value, which `_` then names. Ctrl+C interrupts the form that runs, or
 * forgets the one that is being written. Ends with the input, or with `(quit)`.
 */
export async function startRepl(vm: Vm, env: Table, { quiet, color }: CommandLine): Promise<void> {
  const parser = new Parser();
  const lines = createInterface({
    input: process.stdin,
    output: quiet ? undefined : process.stdout,
    terminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
    completer: (text: string) => completions(env, text),
    historySize: 1_000,
  });
  if (!quiet) process.stdout.write("Janet of Patchbay. (doc) tells of names, (quit) or Ctrl+D ends.\n");
  const session = new Session(vm, env, parser, color);
  const prompt = () => {
    if (quiet) return;
    lines.setPrompt(`repl:${parser.line}:${delimitersOf(parser.frames())}> `);
    lines.prompt();
  };
  lines.on("SIGINT", () => {
    if (session.interrupt()) return;
    parser.flush();
    process.stdout.write("\n");
    lines.write(null, { ctrl: true, name: "e" });
    lines.write(null, { ctrl: true, name: "u" });
    prompt();
  });
  const source = readLines(lines);
  vm.host.readLine = async () => {
    const { value, done } = await source.next();
    return done ? null : value;
  };
  prompt();
  for (;;) {
    const { value, done } = await source.next();
    if (done) break;
    await session.take(value);
    if (truthy(env.rawGet(kw("exit")))) break;
    prompt();
  }
  lines.close();
}

/** Lines in bytes, with their newlines. */
async function* readLines(lines: Interface): AsyncGenerator<string, undefined> {
  for await (const line of lines) yield `${toBytes(line)}\n`;
  return undefined;
}

class Session {
  private readonly vm: Vm;
  private readonly env: Table;
  private readonly parser: Parser;
  private readonly color: boolean;
  private running: AbortController | null = null;
  private readonly context: Running;

  constructor(vm: Vm, env: Table, parser: Parser, color: boolean) {
    this.vm = vm;
    this.env = env;
    this.parser = parser;
    this.color = color;
    this.context = {
      env,
      name: "repl",
      chunk: whole(""),
      // biome-ignore lint/correctness/useYield: others wait
      *onParseError() {
        return null;
      },
      // biome-ignore lint/correctness/useYield: others wait
      *onCompileError(error) {
        vm.host.stderr(
          `${compileErrorText("repl", error)}\n${error.fiber ? traceOf(error.fiber, error.words) : ""}`,
        );
        return null;
      },
      onStatus: (fiber, value) => this.show(fiber, value),
    };
  }

  /** @returns whether a form ran */
  interrupt(): boolean {
    this.running?.abort();
    return this.running !== null;
  }

  /** Takes a piece of source and runs what is complete. */
  async take(source: string): Promise<void> {
    const { parser } = this;
    for (let left = source; left !== ""; ) {
      left = left.slice(parser.consume(left));
      for (let form = parser.produce(); form; form = parser.produce()) {
        await this.run(form.value, form.line, form.column);
        if (truthy(this.env.rawGet(kw("exit")))) return;
      }
      if (parser.status !== "error") continue;
      const { line, column } = parser;
      const words = parser.error() ?? "";
      const text = parseErrorText("repl", { phase: "parse", words, line, column, fiber: null });
      this.vm.host.stderr(`${text}\n`);
      break;
    }
    this.vm.host.flush?.();
  }

  private async run(form: Value, line: number, column: number): Promise<void> {
    const { vm } = this;
    const run = new Native("function", "repl", 0, 1, null, () =>
      runForm(vm, this.context, form, line, column),
    );
    this.running = new AbortController();
    try {
      await vm.tasks.run(makeFiber(vm, run, 0, this.env), { signal: this.running.signal });
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      vm.host.stderr("interrupted\n");
    } finally {
      this.running = null;
    }
  }

  // biome-ignore lint/correctness/useYield: others wait
  private *show(fiber: Parameters<Running["onStatus"]>[0], value: Value): Call {
    if (fiber.status !== "dead") {
      this.vm.host.stderr(traceOf(fiber, value));
      return null;
    }
    const binding = new Table();
    binding.put(kw("value"), value);
    this.env.put(sym("_"), binding);
    this.vm.host.stdout(`${pretty(value, { color: this.color })}\n`);
    return null;
  }
}

/** Names that go on from what stands before the cursor. */
export function completions(env: Table, text: string): [string[], string] {
  const begun = /[^\s()[\]{}"'`,;~|@]*$/.exec(text)?.[0] ?? "";
  const found = new Set<string>();
  for (let table: Table | null = env; table && begun !== ""; table = table.proto) {
    for (let slot = 0; slot < table.slots; slot++) {
      const name = table.liveAt(slot) ? table.keyAt(slot) : null;
      if (name instanceof Sym && toText(name.name).startsWith(begun)) found.add(toText(name.name));
    }
  }
  return [[...found].sort(), begun];
}
