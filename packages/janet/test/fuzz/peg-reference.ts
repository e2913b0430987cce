import { readInteger, scanInBase } from "../../src/peg/numbers.ts";
import { placeOf } from "../../src/peg/out-of-nothing.ts";
import type { Rule } from "../../src/peg/rule.ts";
import { textOf } from "../../src/print/describe.ts";
import { JArray } from "../../src/values/sequences.ts";
import type { Value } from "../../src/values/value.ts";

/** A match under way. Nothing in it is ever changed. */
interface State {
  at: number;
  end: number;
  captures: readonly Value[];
  tagged: readonly (readonly [tag: number, value: Value])[];
  /** What is accumulated; null outside of `accumulate`. */
  text: string | null;
}

/** The match got too deep or long to be compared. */
export class TooLong extends Error {}

/** Matches rules in the plainest way, to compare the machine with: no functions, and nothing fast. */
export class Reference {
  private readonly input: string;
  private steps = 0;
  private depth = 0;
  constructor(input: string) {
    this.input = input;
  }

  /** The captures; null when it does not match. */
  match(rule: Rule): readonly Value[] | null {
    const start = { at: 0, end: this.input.length, captures: [], tagged: [], text: null };
    return this.run(rule, start)?.captures ?? null;
  }

  private run(rule: Rule, state: State): State | null {
    if (++this.steps > 3_000 || this.depth > 150) throw new TooLong();
    this.depth++;
    const result = this.step(rule, state);
    this.depth--;
    return result;
  }

  private step(rule: Rule, state: State): State | null {
    const { at, end } = state;
    switch (rule.kind) {
      case "yes":
      case "debug":
        return state;
      case "no":
        return null;
      case "any":
        return at + rule.count <= end ? { ...state, at: at + rule.count } : null;
      case "not-any":
        return at + rule.count > end ? state : null;
      case "text":
        return this.literal(rule.text, state);
      case "set":
        return at < end && rule.set[this.input.charCodeAt(at)] === 1 ? { ...state, at: at + 1 } : null;
      case "sequence":
        return rule.rules.reduce<State | null>((before, part) => before && this.run(part, before), state);
      case "choice":
        for (const part of rule.rules) {
          const found = this.run(part, state);
          if (found) return found;
        }
        return null;
      case "if": {
        const seen = this.run(rule.first, state);
        return seen && this.run(rule.second, { ...seen, at });
      }
      case "if-not":
        return this.run(rule.first, state) ? null : this.run(rule.second, state);
      case "not":
        return this.run(rule.rule, state) ? null : state;
      case "look": {
        const place = at + rule.offset;
        const seen = place >= 0 && place <= end ? this.run(rule.rule, { ...state, at: place }) : null;
        return seen && { ...seen, at };
      }
      case "repeat":
        return this.repeat(rule.rule, rule.lo, rule.hi, state);
      case "to":
      case "thru":
        for (let place = at; place <= end; place++) {
          const found = this.run(rule.rule, { ...state, at: place });
          if (found) return rule.kind === "thru" ? found : { ...state, at: place };
        }
        return null;
      case "lenprefix": {
        const count = this.run(rule.first, { ...state, text: null, captures: [] });
        const [times] = count?.captures ?? [];
        if (!count || typeof times !== "number" || times !== (times | 0)) return null;
        return this.repeat(rule.second, times, Math.max(times, 0), { ...state, at: count.at });
      }
      case "sub": {
        const window = this.run(rule.first, state);
        const found = window && this.run(rule.second, { ...window, at, end: window.at });
        return found && { ...found, at: window.at, end };
      }
      case "til":
        for (let place = at; place <= end; place++) {
          const stop = this.run(rule.first, { ...state, at: place });
          if (!stop) continue;
          const found = this.run(rule.second, { ...state, end: place });
          return found && { ...found, at: stop.at, end };
        }
        return null;
      case "split":
        return this.split(rule.first, rule.second, state);
      case "wrap":
        return this.wrap(rule, state);
      case "position":
        return push(state, at, rule.tag);
      case "line":
        return push(state, placeOf(this.input, at).line, rule.tag);
      case "column":
        return push(state, placeOf(this.input, at).column, rule.tag);
      case "constant":
        return push(state, rule.value, rule.tag);
      case "argument":
        return push(state, null, rule.tag);
      case "backref": {
        const found = state.tagged.findLast(([tag]) => tag === rule.wanted);
        return found ? push(state, found[1], rule.tag) : null;
      }
      case "backmatch": {
        const found = state.tagged.findLast(([tag]) => tag === rule.wanted)?.[1];
        return typeof found === "string" ? this.literal(found, state) : null;
      }
      case "integer": {
        if (at + rule.width > end) return null;
        const how = (rule.signed ? 1 : 0) + (rule.bigEndian ? 2 : 0);
        const value = readInteger(this.input.slice(at, at + rule.width), how);
        return { ...push(state, value, rule.tag), at: at + rule.width };
      }
      case "shared":
        return this.run(rule.shared.rule as Rule, state);
    }
  }

  private literal(text: string, state: State): State | null {
    const fits = state.at + text.length <= state.end && this.input.startsWith(text, state.at);
    return fits ? { ...state, at: state.at + text.length } : null;
  }

  private repeat(rule: Rule, lo: number, hi: number, state: State): State | null {
    let count = 0;
    let last = state;
    while (count < hi) {
      const next = this.run(rule, last);
      if (!next || (next.at === last.at && hi === Number.POSITIVE_INFINITY)) break;
      count++;
      last = next;
    }
    return count >= lo ? last : null;
  }

  private split(separator: Rule, part: Rule, state: State): State | null {
    const { end } = state;
    let last: State = state;
    let next = state.at;
    while (next <= end) {
      const begin = next;
      let stop = end;
      next = end + 1;
      for (let place = begin; place <= end; place++) {
        const found = this.run(separator, { ...last, at: place });
        if (!found) continue;
        stop = place;
        next = found.at;
        break;
      }
      const found = this.run(part, { ...last, at: begin, end: stop });
      if (!found) return null;
      last = { ...found, end };
    }
    return { ...last, at: end };
  }

  private wrap(rule: Rule & { kind: "wrap" }, state: State): State | null {
    const { how, tag, number } = rule;
    const own = how === "group" || how === "nth" || how === "replace" || how === "error";
    const inner: State = own
      ? { ...state, captures: [], text: null }
      : how === "accumulate"
        ? { ...state, captures: [], text: "" }
        : state;
    const found = this.run(rule.rule, inner);
    if (!found) return null;
    // Tags are kept, captures are not.
    const kept: State = { ...found, captures: state.captures, text: state.text };
    const matched = this.input.slice(state.at, found.at);
    switch (how) {
      case "capture":
        return push(found, matched, tag);
      case "number": {
        const value = scanInBase(matched, number);
        return value === undefined ? null : push(found, value, tag);
      }
      case "group":
        return push(kept, new JArray([...found.captures]), tag);
      case "accumulate":
        return push(kept, found.text ?? "", tag);
      case "nth":
        return number < found.captures.length ? push(kept, found.captures[number] as Value, tag) : null;
      case "only-tags":
        return kept;
      case "drop":
        return { ...kept, tagged: state.tagged };
      case "unref": {
        const since = found.tagged.slice(state.tagged.length);
        return { ...found, tagged: [...state.tagged, ...since.filter(([t]) => tag !== 0 && t !== tag)] };
      }
      case "replace":
        return push(kept, rule.value, tag);
      default:
        throw new TooLong();
    }
  }
}

function push(state: State, value: Value, tag: number): State {
  const tagged = [...state.tagged, [tag, value] as const];
  if (state.text !== null) return { ...state, tagged, text: state.text + textOf(value) };
  return { ...state, tagged, captures: [...state.captures, value] };
}
