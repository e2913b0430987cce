import { sym } from "../values/names.ts";
import { JBuffer, Tuple } from "../values/sequences.ts";
import type { Value } from "../values/value.ts";
import { panic } from "../vm/janet-error.ts";
import { isBlank, isSymbolByte } from "./chars.ts";
import { closings, collectionOf, prefixNames } from "./collections.ts";
import { longString } from "./long-string.ts";
import { delimiterOf, isContainer, newState, type State, type StateKind } from "./state.ts";
import { stepLong, stepString } from "./string-step.ts";
import { tokenValue } from "./token.ts";

export type ParserStatus = "root" | "pending" | "error" | "dead";

/** A value that was read, with where it begins: 1-based line and column. */
export interface Form {
  readonly value: Value;
  readonly line: number;
  readonly column: number;
}

const STRETCH = 4_096;

/**
 * Reads Janet source byte by byte. Values come out of {@link produce} as soon as they are complete. After an error nothing more is
 * read until {@link error} has told it.
 */
export class Parser {
  line = 1;
  column = 0;
  private states: State[] = [newState("root", 1, 0)];
  private forms: Form[] = [];
  /** How many of {@link forms} were given away. */
  private taken = 0;
  private failure: string | null = null;
  private dead = false;
  private last = 0;

  get status(): ParserStatus {
    if (this.failure !== null) return "error";
    if (this.states.length > 1) return "pending";
    return this.dead ? "dead" : "root";
  }

  get hasMore(): boolean {
    return this.taken < this.forms.length;
  }

  /** Reads bytes until they are used up or one is wrong. @returns how many were read. `work` is told of each stretch before it. */
  consume(bytes: string, from = 0, work?: (bytes: number) => void): number {
    for (let at = from; at < bytes.length; at++) {
      if ((at - from) % STRETCH === 0) work?.(Math.min(STRETCH, bytes.length - at));
      this.byte(bytes.charCodeAt(at));
      if (this.failure !== null) return at - from + 1;
    }
    return Math.max(0, bytes.length - from);
  }

  byte(byte: number): void {
    if (this.dead) panic("parser is dead, cannot consume");
    if (this.failure !== null) panic("parser has unchecked error, cannot consume");
    if (byte === 13) {
      this.line++;
      this.column = 0;
    } else if (byte === 10) {
      this.column = 0;
      if (this.last !== 13) this.line++;
    } else this.column++;
    // A byte that ends a token or the like is looked at again by what is around it.
    while (!this.step(byte) && this.failure === null);
    this.last = byte;
  }

  /** Tells the parser that the source ends. What is open is an error. */
  eof(): void {
    const { line, column } = this;
    this.byte(10);
    if (this.states.length > 1)
      this.failure = `unexpected end of source${this.opened(this.states.length - 1)}`;
    this.line = line;
    this.column = column;
    this.dead = true;
  }

  /** The words of the error, which is then over, and with it all that was read; null when there is none. */
  error(): string | null {
    const { failure } = this;
    if (failure !== null) {
      this.failure = null;
      this.flush();
    }
    return failure;
  }

  /** The words of the error, which stays. */
  peekError(): string | null {
    return this.failure;
  }

  /** Forgets all that was read; an error stays. */
  flush(): void {
    this.states.length = 1;
    this.forms = [];
    this.taken = 0;
  }

  /** The next value that is complete. */
  produce(): Form | undefined {
    if (!this.hasMore) return undefined;
    const form = this.forms[this.taken++];
    if (!this.hasMore) {
      this.forms = [];
      this.taken = 0;
    }
    return form;
  }

  /** Puts a value where the next one would be read. */
  insert(value: Value, asText: (value: Value) => string): void {
    if (this.top.kind === "token") {
      this.byte(32);
      this.column--;
    }
    const state = this.top.kind === "comment" ? (this.states.at(-2) as State) : this.top;
    if (state.kind === "root") this.forms.push({ value, line: this.line, column: this.column });
    else if (isContainer(state)) state.items.push(value);
    else if (state.kind === "string" || state.kind === "long") state.text += asText(value);
    else panic("cannot insert value into parser");
  }

  clone(): Parser {
    const copy = new Parser();
    copy.line = this.line;
    copy.column = this.column;
    copy.states = this.states.map((state) => ({ ...state, items: [...state.items] }));
    copy.forms = this.forms.slice(this.taken);
    copy.failure = this.failure;
    copy.dead = this.dead;
    copy.last = this.last;
    return copy;
  }

  /** What is open, outermost first, for `parser/state`. */
  frames(): readonly State[] {
    const items = this.forms.slice(this.taken).map((form) => new Tuple([form.value]));
    return this.states.map((state, at) => (at === 0 ? { ...state, items } : state));
  }

  private get top(): State {
    return this.states[this.states.length - 1] as State;
  }

  private push(kind: StateKind, more?: { mutable?: boolean; prefix?: string }): true {
    this.states.push(newState(kind, this.line, this.column, more));
    return true;
  }

  /** Closes the top state, whose value this is, and the prefixes before it. */
  private pop(closed: Value): void {
    let value = closed;
    for (;;) {
      const state = this.states.pop() as State;
      if (value instanceof Tuple) {
        value.line = state.line;
        value.column = state.column;
      }
      const around = this.top;
      if (around.kind === "root") {
        this.forms.push({ value, line: state.line, column: state.column });
        return;
      }
      if (around.kind !== "mac") {
        around.items.push(value);
        return;
      }
      value = new Tuple([sym(prefixNames[around.prefix] as string), value]);
    }
  }

  private opened(at: number): string {
    const state = this.states[at] as State;
    return `, ${delimiterOf(state)} opened at line ${state.line}, column ${state.column}`;
  }

  private fail(words: string): true {
    this.failure = words;
    return true;
  }

  /** @returns false when the byte belongs to the state around. */
  private step(byte: number): boolean {
    const state = this.top;
    switch (state.kind) {
      case "token":
        return this.token(state, byte);
      case "string":
      case "long":
        return this.string(state, byte);
      case "comment":
        if (byte === 10) this.states.pop();
        else state.text += String.fromCharCode(byte);
        return true;
      case "at":
        return this.at(byte);
      default:
        return this.form(state, byte);
    }
  }

  private form(state: State, byte: number): boolean {
    switch (byte) {
      case 34:
        return this.push("string");
      case 35:
        return this.push("comment");
      case 39:
      case 44:
      case 59:
      case 124:
      case 126:
        return this.push("mac", { prefix: String.fromCharCode(byte) });
      case 40:
        return this.push("parens");
      case 91:
        return this.push("brackets");
      case 123:
        return this.push("braces");
      case 41:
      case 93:
      case 125:
        return this.close(state, byte);
      case 64:
        return this.push("at");
      case 96:
        return this.push("long");
    }
    if (isBlank(byte)) return true;
    if (!isSymbolByte(byte)) return this.fail("unexpected character");
    this.push("token");
    return false;
  }

  private close(state: State, byte: number): boolean {
    const closing = String.fromCharCode(byte);
    if (this.states.length === 1) return this.fail(`unexpected closing delimiter ${closing}`);
    if (closing !== closings[state.kind])
      return this.fail(`mismatched delimiter ${closing}${this.opened(this.states.length - 1)}`);
    if (state.kind === "braces" && state.items.length % 2 === 1)
      return this.fail("struct and table literals expect even number of arguments");
    this.pop(collectionOf(state));
    return true;
  }

  private at(byte: number): boolean {
    this.states.pop();
    switch (byte) {
      case 34:
        return this.push("string", { mutable: true });
      case 40:
        return this.push("parens", { mutable: true });
      case 91:
        return this.push("brackets", { mutable: true });
      case 96:
        return this.push("long", { mutable: true });
      case 123:
        return this.push("braces", { mutable: true });
    }
    this.push("token");
    this.top.text = "@";
    return false;
  }

  private token(state: State, byte: number): boolean {
    if (isSymbolByte(byte)) {
      state.text += String.fromCharCode(byte);
      return true;
    }
    const token = tokenValue(state.text);
    if ("error" in token) this.failure = token.error;
    else this.pop(token.value);
    return false;
  }

  private string(state: State, byte: number): boolean {
    const step = state.kind === "long" ? stepLong(state, byte) : stepString(state, byte);
    if (step === "more") return true;
    if (typeof step === "object") return this.fail(step.error);
    const text = state.kind === "long" ? longString(state.text, state.column) : state.text;
    this.pop(state.mutable ? JBuffer.of(text) : text);
    return step === "end";
  }
}
