import type { Call } from "../values/functions.ts";
import type { Value } from "../values/value.ts";
import { truthy } from "../values/value.ts";
import { BREAK, BreakThrown, type Frame } from "../vm/code.ts";
import { pause } from "../vm/signal.ts";
import { after, isCall, type Step } from "../vm/step.ts";
import type { Vm } from "../vm/vm.ts";
import type { Compiler } from "./compile.ts";
import { type Node, nil, operand, type Place, statement } from "./node.ts";

/** Forms one after the other; the last one's value is theirs. */
export function sequence(compiler: Compiler, forms: readonly Value[], place: Place): Node {
  if (forms.length === 0) return nil;
  const inside: Place = place.flow || place.tail ? statement : operand;
  const nodes: Node[] = [];
  // A loop, as forms may be nested deep.
  for (let at = 0; at < forms.length - 1; at++) nodes.push(compiler.value(forms[at] as Value, inside));
  nodes.push(compiler.value(forms.at(-1) as Value, { tail: place.tail, flow: place.flow }));
  return sequenceOf(nodes);
}

export function sequenceOf(all: readonly Node[]): Node {
  // A constant before the end does nothing.
  const nodes = all.filter((node, at) => at === all.length - 1 || !node.constant);
  if (nodes.length === 1) return nodes[0] as Node;
  const breaks = nodes.some((node) => node.breaks);
  const runs = nodes.map((node) => node.run);
  const last = runs.length - 1;
  const lastRun = runs[last] as Node["run"];
  if (!breaks && nodes.slice(0, -1).every((node) => node.plain)) {
    const plain = (nodes.at(-1) as Node).plain;
    const [first, second] = runs as [Node["run"], Node["run"]];
    if (runs.length === 2) {
      return {
        plain,
        run: (frame) => {
          first(frame);
          return second(frame);
        },
      };
    }
    return {
      plain,
      run: (frame) => {
        for (let at = 0; at < last; at++) (runs[at] as Node["run"])(frame);
        return lastRun(frame);
      },
    };
  }
  return {
    plain: false,
    breaks,
    run: (frame) => {
      for (let at = 0; at < last; at++) {
        const step = (runs[at] as Node["run"])(frame);
        if (isCall(step)) return restOfSequence(runs, frame, at, step);
        if (step === BREAK) return BREAK;
      }
      return lastRun(frame);
    },
  };
}

function* restOfSequence(runs: readonly Node["run"][], frame: Frame, at: number, call: Call): Call {
  if ((yield* call) === BREAK) return BREAK;
  while (++at < runs.length) {
    const step = (runs[at] as Node["run"])(frame);
    const value = isCall(step) ? yield* step : step;
    if (at === runs.length - 1 || value === BREAK) return value;
  }
  return null;
}

export function ifNode(test: Node, yes: Node, no: Node): Node {
  if (test.constant) return truthy(test.constant.value) ? yes : no;
  const breaks = yes.breaks || no.breaks;
  const { run: runTest } = test;
  const { run: runYes } = yes;
  const { run: runNo } = no;
  if (test.plain) {
    return {
      plain: yes.plain && no.plain,
      breaks,
      run: (frame) => {
        const value = runTest(frame);
        return value !== null && value !== false ? runYes(frame) : runNo(frame);
      },
    };
  }
  const decide = (value: Value, frame: Frame): Step => (truthy(value) ? runYes(frame) : runNo(frame));
  return {
    plain: false,
    breaks,
    run: (frame) => {
      const value = runTest(frame);
      return isCall(value) ? after(value, decide, frame) : decide(value, frame);
    },
  };
}

/** A loop. It counts a step for each turn, and pauses now and then. */
export function loopNode(vm: Vm, test: Node, body: Node, catches: boolean): Node {
  const runTest = test.run;
  const runBody = body.run;
  const loop = (frame: Frame): Step => {
    for (;;) {
      const value = runTest(frame);
      if (isCall(value)) return looping(frame, value, true);
      if (value === null || value === false) return null;
      const step = runBody(frame);
      if (isCall(step)) return looping(frame, step, false);
      if (step === BREAK) return null;
      if (--vm.fuel < 0 && vm.refuel()) return looping(frame, pausing(vm), false);
    }
  };
  function* looping(frame: Frame, call: Call, inTest: boolean): Call {
    if (inTest) {
      if (!truthy(yield* call)) return null;
      const step = runBody(frame);
      if ((isCall(step) ? yield* step : step) === BREAK) return null;
    } else if ((yield* call) === BREAK) return null;
    for (;;) {
      if (--vm.fuel < 0 && vm.refuel()) yield* pausing(vm);
      const value = runTest(frame);
      if (!truthy(isCall(value) ? yield* value : value)) return null;
      const step = runBody(frame);
      if ((isCall(step) ? yield* step : step) === BREAK) return null;
    }
  }
  return { plain: false, run: catches ? catching(loop) : loop };
}

/** Lets other work go on. The way back may be long, so the next slice begins here. */
function* pausing(vm: Vm): Call {
  yield pause;
  vm.beginSlice();
  return null;
}

/** A loop that a `break` inside of an expression leaves. */
function catching(loop: Node["run"]): Node["run"] {
  function* goingOn(call: Call): Call {
    try {
      return yield* call;
    } catch (error) {
      if (error instanceof BreakThrown) return null;
      throw error;
    }
  }
  return (frame) => {
    try {
      const step = loop(frame);
      return isCall(step) ? goingOn(step) : step;
    } catch (error) {
      if (error instanceof BreakThrown) return null;
      throw error;
    }
  };
}
