import type { Value } from "../values/value.ts";
import { panic } from "../vm/janet-error.ts";
import type { Vm } from "../vm/vm.ts";
import { Captures } from "./captures.ts";
import { Frame, frameKind } from "./frame.ts";
import { placeOf, pushCapture } from "./out-of-nothing.ts";
import type { Program } from "./program.ts";
import * as op from "./program.ts";
import { depthLimit } from "./reading.ts";
import { searchFailed, splitFailed, windowStep } from "./windows.ts";
import { endWrapper, finishReplacement, replacement } from "./wrappers.ts";

/** Why {@link Matcher.run} came back. */
export type Outcome = "matched" | "failed" | "call" | "pause";

/** Instructions between two looks at the budget. */
const slice = 500;

/** Matches one text with one program. One matcher may begin several times; each time it forgets the match before. */
export class Matcher {
  readonly program: Program;
  readonly text: string;
  /** What `argument` gives. */
  readonly extra: readonly Value[];
  readonly vm: Vm;
  readonly captures: Captures;
  /** Where the match is; after a success, behind what was matched. */
  position = 0;
  /** Where the text that may be matched ends. */
  end = 0;
  /** The function to call, when {@link run} came back with "call"; {@link answer} takes its result. */
  callee: Value = null;
  callArguments: Value[] = [];
  /** Instructions that the last slice has run. */
  private used = 0;
  private address = 0;
  private readonly frames: Frame[] = [];
  private depth = 0;

  constructor(program: Program, text: string, extra: readonly Value[], vm: Vm) {
    this.program = program;
    this.text = text;
    this.extra = extra;
    this.vm = vm;
    this.captures = new Captures(program.backrefs);
  }

  begin(position: number): void {
    this.captures.clear();
    this.position = position;
    this.end = this.text.length;
    this.address = 0;
    this.depth = 0;
  }

  /** Goes on until the match succeeds or fails, a Janet function must be called, or other work should have its turn. */
  run(): Outcome {
    const { vm } = this;
    for (;;) {
      if (vm.fuel < 0 && vm.refuel()) return "pause";
      const outcome = this.runSlice();
      vm.fuel -= this.used;
      if (outcome !== null) return outcome;
    }
  }

  /** Gives the result of the call that was asked for; false: the match has failed. */
  answer(value: Value): boolean {
    return finishReplacement(this, this.address - op.width, value) || this.fail();
  }

  /** Puts a frame on the stack that remembers how all is now. */
  push(kind: number, address: number): Frame {
    if (this.depth >= depthLimit) panic("peg/match recursed too deeply");
    const frame = this.frames[this.depth] ?? new Frame();
    this.frames[this.depth++] = frame;
    frame.kind = kind;
    frame.address = address;
    frame.position = this.position;
    frame.end = this.end;
    this.captures.save(frame);
    return frame;
  }

  top(): Frame {
    return this.frames[this.depth - 1] as Frame;
  }

  pop(): Frame {
    return this.frames[--this.depth] as Frame;
  }

  goTo(address: number): true {
    this.address = address;
    return true;
  }

  /** Makes all as it was when the frame was put there. */
  restore(frame: Frame): void {
    this.position = frame.position;
    this.end = frame.end;
    this.captures.restore(frame);
  }

  private runSlice(): Outcome | null {
    const { code } = this.program;
    for (let steps = 1; steps <= slice; steps++) {
      const at = this.address;
      this.address = at + op.width;
      const what = code[at] as number;
      if (what === op.END) {
        this.used = steps;
        return "matched";
      }
      if (what >= op.REPLACE && what <= op.CMS) {
        const call = replacement(this, at);
        if (call !== null) {
          this.callee = call;
          this.callArguments = this.captures.since(this.top());
          this.used = steps;
          return "call";
        }
      } else if (!this.step(what, at) && !this.fail()) {
        this.used = steps;
        return "failed";
      }
    }
    this.used = slice;
    return null;
  }

  /** One instruction; false: it fails. */
  private step(what: number, at: number): boolean {
    const { code, texts, sets } = this.program;
    const a = code[at + 1] as number;
    switch (what) {
      case op.TEXT: {
        const wanted = texts[a] as string;
        const behind = this.position + wanted.length;
        if (behind > this.end || !this.text.startsWith(wanted, this.position)) return false;
        this.position = behind;
        return true;
      }
      case op.SET:
        if (this.position >= this.end) return false;
        return (sets[a] as Uint8Array)[this.text.charCodeAt(this.position++)] === 1;
      case op.SPAN:
        return this.span(sets[a] as Uint8Array, code[at + 2] as number, code[at + 3] as number);
      case op.ANY:
        this.position += a;
        return this.position <= this.end;
      case op.NOT_ANY:
        return this.position + a > this.end;
      case op.CHOICE:
        this.push(frameKind.choice, a);
        return true;
      case op.COMMIT:
        this.depth--;
        return this.goTo(a);
      case op.FAIL_TWICE:
        this.depth--;
        return false;
      case op.FAIL:
        return false;
      case op.JUMP:
        return this.goTo(a);
      case op.CALL:
        this.push(frameKind.return, this.address);
        return this.goTo(a);
      case op.RETURN:
        return this.goTo(this.pop().address);
      case op.REPEAT:
        return this.beginRepeat(a, code[at + 2] as number, code[at + 3] as number);
      case op.AGAIN:
        return this.again(a);
      case op.MARK:
        this.push(frameKind.mark, 0);
        if (a >= 0) this.captures.accumulating = a === 1;
        return true;
      case op.FIND: {
        const wanted = texts[a] as string;
        const found = this.text.indexOf(wanted, this.position);
        if (found < 0 || found + wanted.length > this.end) return false;
        this.position = code[at + 2] === 1 ? found + wanted.length : found;
        return true;
      }
      default:
        if (what >= op.POSITION) return pushCapture(this, what, at);
        return what >= op.CAPTURE ? endWrapper(this, what, at) : windowStep(this, what, at);
    }
  }

  /** Back to the last place from where something else can be tried. */
  private fail(): boolean {
    while (this.depth > 0) {
      const frame = this.frames[--this.depth] as Frame;
      switch (frame.kind) {
        case frameKind.choice:
          this.restore(frame);
          return this.goTo(frame.address);
        case frameKind.repeat:
          this.restore(frame);
          if (frame.count >= frame.lo) return this.goTo(frame.address);
          break;
        case frameKind.search:
          this.restore(frame);
          if (searchFailed(this, frame)) {
            this.depth++;
            return this.goTo(frame.address);
          }
          break;
        case frameKind.split:
          this.restore(frame);
          this.depth++;
          return splitFailed(this, frame);
      }
    }
    return false;
  }

  private span(set: Uint8Array, lo: number, hi: number): boolean {
    const { text } = this;
    const most = hi < 0 ? this.end : Math.min(this.end, this.position + hi);
    let at = this.position;
    while (at < most && set[text.charCodeAt(at)] === 1) at++;
    const count = at - this.position;
    this.position = at;
    return count >= lo;
  }

  /** Repeats what follows `lo` to `hi` times and then goes to the address; `hi` of -1: any number. */
  beginRepeat(address: number, lo: number, hi: number): boolean {
    if (hi === 0) return lo <= 0 && this.goTo(address);
    const frame = this.push(frameKind.repeat, address);
    frame.count = 0;
    frame.lo = lo;
    frame.hi = hi;
    return true;
  }

  private again(body: number): boolean {
    const frame = this.top();
    if (frame.hi < 0 && this.position === frame.position) {
      // Nothing was matched, so that it would go on for ever.
      this.restore(frame);
      this.depth--;
      return frame.count >= frame.lo && this.goTo(frame.address);
    }
    frame.count++;
    if (frame.count === frame.hi) {
      this.depth--;
      return frame.count >= frame.lo && this.goTo(frame.address);
    }
    frame.position = this.position;
    this.captures.save(frame);
    return this.goTo(body);
  }

  /** Line and column of a position, counted from 1. */
  placeOf(position: number): { line: number; column: number } {
    return placeOf(this.text, position);
  }
}
