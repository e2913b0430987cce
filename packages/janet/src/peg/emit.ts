import type { Value } from "../values/value.ts";
import * as op from "./program.ts";
import { type ByteSet, type Rule, type SharedRule, setOf, type Wrapping } from "./rule.ts";

const NORMAL = 0;
const ACCUMULATING = 1;
const SAME = -1;

/** How a wrapper begins (the mode of what is in it) and ends. */
const wrappings: Record<Wrapping, readonly [mode: number, end: number]> = {
  capture: [SAME, op.CAPTURE],
  number: [SAME, op.NUMBER],
  group: [NORMAL, op.GROUP],
  accumulate: [ACCUMULATING, op.ACCUMULATE],
  replace: [NORMAL, op.REPLACE],
  cmt: [NORMAL, op.CMT],
  cms: [NORMAL, op.CMS],
  nth: [NORMAL, op.NTH],
  "only-tags": [SAME, op.ONLY_TAGS],
  drop: [SAME, op.DROP],
  unref: [SAME, op.UNREF],
  error: [NORMAL, op.ERROR],
};

class Emitter {
  private readonly code: number[] = [];
  private readonly texts: string[] = [];
  private readonly sets: ByteSet[] = [];
  private readonly constants: Value[] = [];
  private backrefs = false;
  /** Rules that stand by themselves and are called, with their addresses once these are known. */
  private readonly called = new Map<SharedRule, { address: number; calls: number[] }>();

  program(rule: Rule): op.Instructions {
    this.call({ rule, uses: 2 });
    this.emit(op.END);
    // Emitting one may add others; a Map's iteration meets those too.
    for (const [shared, place] of this.called) {
      place.address = this.code.length;
      this.rule(shared.rule as Rule);
      this.emit(op.RETURN);
    }
    for (const { address, calls } of this.called.values())
      for (const call of calls) this.code[call + 1] = address;
    this.jumpInsteadOfLastCalls();
    const { texts, sets, constants, backrefs } = this;
    return { code: Int32Array.from(this.code), texts, sets, constants, backrefs };
  }

  /** The address of the instruction. */
  private emit(what: number, a = 0, b = 0, c = 0): number {
    return this.code.push(what, a, b, c) - op.width;
  }

  /** Makes the first number of the instruction at the address the address that comes next. */
  private land(at: number): void {
    this.code[at + 1] = this.code.length;
  }

  private call(shared: SharedRule): void {
    let place = this.called.get(shared);
    if (place === undefined) {
      place = { address: 0, calls: [] };
      this.called.set(shared, place);
    }
    place.calls.push(this.emit(op.CALL));
  }

  private rule(rule: Rule): void {
    switch (rule.kind) {
      case "yes":
        return;
      case "no":
        this.emit(op.FAIL);
        return;
      case "debug":
        this.emit(op.DEBUG);
        return;
      case "any":
        if (rule.count > 0) this.emit(op.ANY, rule.count);
        return;
      case "not-any":
        this.emit(op.NOT_ANY, rule.count);
        return;
      case "text":
        if (rule.text !== "") this.emit(op.TEXT, this.textIndex(rule.text));
        return;
      case "set":
        this.emit(op.SET, this.sets.push(rule.set) - 1);
        return;
      case "shared":
        this.shared(rule.shared);
        return;
      case "sequence":
        for (const part of rule.rules) this.rule(part);
        return;
      case "choice":
        this.choice(rule.rules);
        return;
      case "if":
        this.look(0, rule.first);
        this.rule(rule.second);
        return;
      case "if-not":
        this.not(rule.first);
        this.rule(rule.second);
        return;
      case "not":
        this.not(rule.rule);
        return;
      case "look":
        this.look(rule.offset, rule.rule);
        return;
      case "repeat":
        this.repeat(rule.lo, rule.hi, rule.rule);
        return;
      case "to":
      case "thru":
        this.search(rule.rule, rule.kind === "to" ? 0 : 1);
        return;
      case "lenprefix":
      case "sub":
      case "til":
      case "split":
        this.two(rule.kind, rule.first, rule.second);
        return;
      case "wrap": {
        const [mode, end] = wrappings[rule.how];
        const uses = rule.how === "replace" || rule.how === "cmt" || rule.how === "cms";
        this.emit(op.MARK, mode);
        this.rule(rule.rule);
        this.emit(end, rule.tag, uses ? this.constants.push(rule.value) - 1 : rule.number);
        return;
      }
      case "position":
        this.emit(op.POSITION, rule.tag);
        return;
      case "line":
        this.emit(op.LINE, rule.tag);
        return;
      case "column":
        this.emit(op.COLUMN, rule.tag);
        return;
      case "constant":
        this.emit(op.CONSTANT, rule.tag, this.constants.push(rule.value) - 1);
        return;
      case "argument":
        this.emit(op.ARGUMENT, rule.tag, rule.index);
        return;
      case "backref":
        this.backrefs = true;
        this.emit(op.BACKREF, rule.tag, rule.wanted);
        return;
      case "backmatch":
        this.backrefs = true;
        this.emit(op.BACKMATCH, rule.wanted);
        return;
      case "integer":
        this.emit(op.INTEGER, rule.tag, rule.width, (rule.signed ? 1 : 0) + (rule.bigEndian ? 2 : 0));
        return;
    }
  }

  /** What is used once or is one instruction stands where it is used. */
  private shared(shared: SharedRule): void {
    const plain = unshared({ kind: "shared", shared });
    if (shared.uses > 1 && !["set", "text", "any"].includes(plain.kind)) this.call(shared);
    else this.rule(shared.rule as Rule);
  }

  private textIndex(text: string): number {
    const known = this.texts.indexOf(text);
    return known >= 0 ? known : this.texts.push(text) - 1;
  }

  private choice(rules: readonly Rule[]): void {
    const ends: number[] = [];
    rules.forEach((rule, at) => {
      if (at === rules.length - 1) {
        this.rule(rule);
        return;
      }
      const choice = this.emit(op.CHOICE);
      this.rule(rule);
      ends.push(this.emit(op.COMMIT));
      this.land(choice);
    });
    if (rules.length === 0) this.emit(op.FAIL);
    for (const end of ends) this.land(end);
  }

  private not(rule: Rule): void {
    const choice = this.emit(op.CHOICE);
    this.rule(rule);
    this.emit(op.FAIL_TWICE);
    this.land(choice);
  }

  private look(offset: number, rule: Rule): void {
    this.emit(op.LOOK, offset);
    this.rule(rule);
    this.emit(op.LOOK_END);
  }

  private repeat(lo: number, hi: number, rule: Rule): void {
    const most = hi === Number.POSITIVE_INFINITY ? -1 : hi;
    const single = singleByte(rule);
    if (single !== null) {
      this.emit(op.SPAN, this.sets.push(single) - 1, lo, most);
      return;
    }
    const begin = this.emit(op.REPEAT, 0, lo, most);
    this.rule(rule);
    this.emit(op.AGAIN, begin + op.width);
    this.land(begin);
  }

  private search(rule: Rule, past: number): void {
    const plain = unshared(rule);
    if (plain.kind === "text" && plain.text !== "") {
      this.emit(op.FIND, this.textIndex(plain.text), past);
      return;
    }
    this.emit(op.SEARCH);
    this.rule(rule);
    this.emit(op.FOUND, past);
  }

  private two(kind: "lenprefix" | "sub" | "til" | "split", first: Rule, second: Rule): void {
    if (kind === "lenprefix") {
      this.emit(op.MARK, NORMAL);
      this.rule(first);
      const length = this.emit(op.LENGTH);
      this.rule(second);
      this.emit(op.AGAIN, length + op.width);
      this.land(length);
    } else if (kind === "split") {
      const split = this.emit(op.SPLIT);
      this.rule(first);
      this.emit(op.SPLIT_FOUND);
      this.land(split);
      this.rule(second);
      this.emit(op.SPLIT_NEXT, split + op.width);
    } else {
      if (kind === "sub") this.emit(op.MARK, SAME);
      else this.emit(op.SEARCH);
      this.rule(first);
      this.emit(kind === "sub" ? op.NARROW : op.NARROW_BEFORE);
      this.rule(second);
      this.emit(op.NARROW_END);
    }
  }

  /** A call that only a return follows is a jump, so that a rule may go on with itself for ever. */
  private jumpInsteadOfLastCalls(): void {
    const { code } = this;
    for (let at = 0; at < code.length; at += op.width) {
      if (code[at] === op.CALL && code[at + op.width] === op.RETURN) code[at] = op.JUMP;
    }
  }
}

function unshared(rule: Rule): Rule {
  let plain = rule;
  for (let hops = 0; plain.kind === "shared" && plain.shared.rule !== null && hops < 64; hops++)
    plain = plain.shared.rule;
  return plain;
}

/** The set of a rule that matches exactly one byte; null for another. */
function singleByte(rule: Rule): ByteSet | null {
  const plain = unshared(rule);
  if (plain.kind === "set") return plain.set;
  if (plain.kind === "text" && plain.text.length === 1) return setOf(plain.text);
  return plain.kind === "any" && plain.count === 1 ? new Uint8Array(256).fill(1) : null;
}

/** The instructions of a pattern. */
export function emitProgram(rule: Rule): op.Instructions {
  return new Emitter().program(rule);
}
