import fc from "fast-check";
import { expect, test } from "vitest";
import type { RecordEvent, RecordFact } from "../record.ts";
import { compareTurns } from "./compare.ts";

const owner = { kind: "owner" } as const;
type Step = [spanId: string, parentId: string | null, fact: RecordFact];

function turn(
  steps: readonly Step[],
  { turnId = "t", from = 1_000, step = 1, rename = (id: string) => id } = {},
) {
  return steps.map(([spanId, parentId, fact], seq) => ({
    turnId,
    seq,
    spanId: rename(spanId),
    parentId: parentId === null ? null : rename(parentId),
    at: from + seq * step,
    ...fact,
  })) as RecordEvent[];
}

const begun = (text: string): RecordFact => ({
  type: "turn_begun",
  v: 1,
  sessionId: "s",
  agentId: "a",
  text,
  caller: owner,
  world: null,
});
const message = (text: string) => ({ role: "user", content: text });

interface Call {
  tool: string;
  words: string;
  rewritten: string | null;
  decision: "allowed" | "denied";
  answer: string;
  approval: "allowed" | "denied" | null;
}

/** A turn with these calls in its one step, made by the ids `id`. */
function steps(
  calls: readonly Call[],
  { text = "hi", said = "Done.", id = (n: number) => `call-${n}` } = {},
): Step[] {
  const all: Step[] = [
    ["0", null, begun(text)],
    ["0", null, { type: "message_received", id: "m", sessionId: "s", text, changedBy: [], caller: owner }],
    [
      "0",
      null,
      { type: "prompt_made", sections: [{ key: "instructions", content: "Be brief." }], history: 0 },
    ],
    [
      "m1",
      "0",
      { type: "model_asked", index: 1, messages: 1, tools: 1, request: { messages: [message(text)] } },
    ],
    [
      "m1",
      "0",
      answered(
        "",
        calls.map(({ tool, words }, n) => ({ id: id(n), name: tool, arguments: { words } })),
      ),
    ],
  ];
  for (const [n, call] of calls.entries()) {
    const span = `c${n}`;
    const hook = { event: "tool.before@v1", owner: "warden", hookId: "h" };
    const args = { words: call.words };
    const final = call.rewritten === null ? args : { words: call.rewritten };
    const ids = { toolCallId: id(n) };
    const payload = { agentId: "a", sessionId: "s", toolCallId: id(n), toolName: call.tool, args };
    all.push(
      [
        span,
        "0",
        {
          type: "tool_called",
          ...ids,
          tool: call.tool,
          title: call.tool,
          owner: "p",
          caller: owner,
          arguments: args,
        },
      ],
      [
        span,
        "0",
        { type: "tool_judged", ...ids, owner: "p", effect: call.approval ? "ask" : "allow", rule: "r" },
      ],
      [`h${n}`, span, { type: "hook_asked", ...hook, payload }],
      [
        `h${n}`,
        span,
        call.decision === "denied"
          ? { type: "hook_answered", ...hook, decision: "denied", reason: "no" }
          : call.rewritten === null
            ? { type: "hook_answered", ...hook, decision: "allowed" }
            : { type: "hook_answered", ...hook, decision: "rewrote", after: { ...payload, args: final } },
      ],
    );
    if (call.rewritten !== null && call.decision === "allowed")
      all.push([span, "0", { type: "tool_rewritten", ...ids, arguments: final, changedBy: ["warden"] }]);
    const asked = call.decision === "allowed" && call.approval !== null;
    if (asked)
      all.push(
        [span, "0", { type: "approval_asked", ...ids, approvalId: `a${id(n)}` }],
        [
          span,
          "0",
          {
            type: "approval_answered",
            ...ids,
            approvalId: `a${id(n)}`,
            status: call.approval ?? "denied",
            scope: null,
            decidedBy: owner,
            reason: null,
          },
        ],
      );
    const runs = call.decision === "allowed" && call.approval !== "denied";
    const output = { content: [{ type: "text" as const, text: call.answer }] };
    if (runs)
      all.push(
        [span, "0", { type: "tool_started", ...ids }],
        [span, "0", { type: "tool_answered", ...ids, output, problem: null }],
      );
    all.push([
      span,
      "0",
      {
        type: "tool_ended",
        id: `e${n}`,
        ...ids,
        tool: call.tool,
        outcome: runs ? "executed" : call.decision === "denied" ? "vetoed" : "rejected",
        result: runs ? output : null,
        problem: null,
      },
    ]);
  }
  all.push(
    ["0", null, { type: "log", owner: "p", level: "info", origin: "plugin", text: `at ${id(0)}` }],
    [
      "m2",
      "0",
      {
        type: "model_asked",
        index: 2,
        messages: 2,
        tools: 1,
        request: {
          messages: [
            message(text),
            ...calls.map(({ answer }, n) => ({
              role: "toolResult",
              toolCallId: id(n),
              content: [{ type: "text", text: answer }],
            })),
          ],
        },
      },
    ],
    ["m2", "0", answered(said)],
    ["0", null, { type: "turn_ended", outcome: "done", text: said, problem: null }],
  );
  return all;
}

function answered(
  text: string,
  toolCalls: { id: string; name: string; arguments: object }[] = [],
): RecordFact {
  const content = [
    ...(text ? [{ type: "text", text }] : []),
    ...toolCalls.map((call) => ({ type: "toolCall", ...call })),
  ];
  return {
    type: "model_answered",
    model: "m",
    stopReason: "stop",
    usage: null,
    problem: null,
    response: { role: "assistant", content, usage: { input: 1 }, responseId: "x" },
  };
}

/** What differs, as `kind of stretch: kind of difference`; what follows from something else has an arrow. Sorted. */
function told(left: RecordEvent[], right: RecordEvent[]): string[] {
  const all = compareTurns(left, right).rows.flatMap((row) =>
    row.differences.map(
      ({ kind, follows }) => `${follows ? "→ " : ""}${(row.left ?? row.right)?.kind}: ${kind}`,
    ),
  );
  return all.sort();
}

const call: Call = {
  tool: "say",
  words: "hello",
  rewritten: "HELLO",
  decision: "allowed",
  answer: "said",
  approval: "allowed",
};
const calls = [call, { ...call, words: "again", approval: null }];
const changed = (change: Partial<Call>) => turn(steps([{ ...call, ...change }, calls[1] as Call]));

test.each<[string, RecordEvent[], string[]]>([
  ["nothing", changed({}), []],
  [
    "a hook that rewrites otherwise",
    changed({ rewritten: "HELLO!", answer: "said" }),
    ["hook: changes", "→ tool: arguments"],
  ],
  [
    "a hook that forbids",
    changed({ decision: "denied", rewritten: null }),
    [
      "hook: decision",
      "→ tool: result",
      "→ hook: changes",
      "→ tool: arguments",
      "→ approval: missing",
      "→ run: missing",
    ],
  ],
  [
    "a person who says no",
    changed({ approval: "denied" }),
    ["approval: approval", "→ run: missing", "→ tool: result"],
  ],
  [
    "a tool that answers otherwise",
    changed({ answer: "shouted" }),
    ["run: output", "→ tool: result", "→ model: messages"],
  ],
  [
    "a model that says something else",
    turn(steps(calls, { said: "Fine." })),
    ["model: answer", "→ turn: text"],
  ],
  [
    "a call that is not made",
    turn(steps([calls[1] as Call])),
    ["model: answer", "→ tool: missing", "→ model: messages"],
  ],
  [
    "a call more",
    turn(steps([...calls, { ...call, tool: "other", approval: null }])),
    ["model: answer", "→ tool: added", "→ model: messages"],
  ],
])("of two turns, what differs is told once: %s", (_what, right, expected) => {
  expect(told(turn(steps(calls)), right)).toEqual(expected.sort());
});

test("a plugin that is never asked in one of the turns is a difference of its own at each place", () => {
  const without = steps(calls).filter(([span]) => !span.startsWith("h"));
  const left = turn(steps(calls));
  const { rows, own } = compareTurns(left, turn(without));
  const missing = rows.filter(({ right }) => right === null);
  expect(missing.map(({ left: span, differences }) => [span?.owner, differences[0]?.follows])).toEqual([
    ["warden", false],
    ["warden", false],
  ]);
  expect(own).toBe(2);
});

test("what stands alone is listed with all that was in it, and counted once", () => {
  const { rows } = compareTurns(turn(steps(calls)), turn(steps([calls[0] as Call])));
  const gone = rows.filter(({ right }) => right === null);
  expect(gone.map(({ left, depth }) => [left?.kind, depth])).toEqual([
    ["tool", 1],
    ["hook", 2],
    ["run", 2],
  ]);
  expect(gone.map(({ differences }) => differences.length)).toEqual([1, 0, 0]);
});

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const someCall: fc.Arbitrary<Call> = fc.record({
  tool: fc.constantFrom("say", "send", "look"),
  words: word,
  rewritten: fc.option(word),
  decision: fc.constantFrom("allowed", "denied"),
  answer: word,
  approval: fc.constantFrom("allowed", "denied", null),
});
const someCalls = fc.array(someCall, { minLength: 1, maxLength: 6 });

test("a turn with other times and ids has no differences", () => {
  fc.assert(
    fc.property(
      someCalls,
      fc.integer({ min: 0, max: 1e9 }),
      fc.integer({ min: 0, max: 500 }),
      (some, from, step) => {
        const right = turn(steps(some, { id: (n) => `other-${n}` }), {
          turnId: "u",
          from,
          step,
          rename: (id) => (id === "0" ? id : `x${id}`),
        });
        expect(told(turn(steps(some)), right)).toEqual([]);
      },
    ),
  );
});

test("a turn of which one thing is changed differs in exactly that, whatever follows from it", () => {
  const change = fc.constantFrom("answer", "decision", "approval", "rewritten");
  fc.assert(
    fc.property(someCalls, fc.nat(), change, (some, at, what) => {
      const index = at % some.length;
      const before = { ...(some[index] as Call), decision: "allowed" as const, rewritten: "old" };
      if (what !== "decision") before.approval = "allowed";
      const after = { ...before };
      if (what === "answer") after.answer = `${before.answer}-changed`;
      if (what === "decision") Object.assign(after, { decision: "denied" });
      if (what === "approval") after.approval = "denied";
      if (what === "rewritten") after.rewritten = "new";
      const left = turn(steps(some.with(index, before)));
      const right = turn(steps(some.with(index, after)));
      const { rows } = compareTurns(left, right);
      const own = rows.flatMap((row) =>
        row.differences.filter(({ follows }) => !follows).map(({ kind }) => [row.left?.id, kind]),
      );
      const expected = {
        answer: [[`c${index}/run`, "output"]],
        decision: [[`h${index}`, "decision"]],
        approval: [[`c${index}/approval`, "approval"]],
        rewritten: [[`h${index}`, "changes"]],
      };
      expect(own).toEqual(expected[what]);
    }),
  );
});

test("turns of more than a thousand calls keep their lines beside each other", () => {
  const many = Array.from({ length: 1_500 }, (_one, n) => ({ ...call, words: `w${n}`, approval: null }));
  const left = turn(steps(many));
  const right = turn(steps(many.filter((_one, n) => n % 10 !== 3)));
  const { rows } = compareTurns(left, right);
  expect(rows.filter(({ right: one, left: other }) => one === null && other?.kind === "tool")).toHaveLength(
    150,
  );
});
