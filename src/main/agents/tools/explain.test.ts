import fc from "fast-check";
import { expect, test } from "vitest";
import type { Agent, Caller, PolicyRule, ToolInfo, Trust } from "../../../contract/index.ts";
import { explain, inOrder } from "./explain.ts";
import { verdictOn } from "./rights.ts";
import type { FoundTool } from "./tool-catalog.ts";

const owner: Caller = { kind: "owner" };
const stranger: Caller = { kind: "channel", channel: "telegram", userId: "7" };
const friend: Caller = { kind: "channel", channel: "telegram", userId: "8", role: "user" };

function pluginTool(name: string, more: Partial<ToolInfo> = {}): FoundTool {
  const info = { name, title: name, description: "", parameters: {}, readOnly: false, owner: "p", ...more };
  return { kind: "plugin", owner: "p", info };
}

function builtin(name: string, dangerous: boolean): FoundTool {
  const { info } = pluginTool(name, { owner: null });
  return { kind: "builtin", info, tool: { info, dangerous } as never };
}

const agentWith = (policy: PolicyRule[]) => ({ policy }) as Agent;
const trusting = (trust: Trust) => ({ get: () => ({ trust }) });
const why = (policy: PolicyRule[], found: FoundTool, caller: Caller = owner) =>
  explain(agentWith(policy), found, caller, trusting("unverified"));

test.each<[string, PolicyRule[], FoundTool, Caller, string, string[]]>([
  [
    "a rule for somebody else",
    [{ tool: "p__x", effect: "allow", callers: [{ channel: "telegram", userId: "8" }] }],
    pluginTool("p__x"),
    owner,
    "plugin",
    ["caller"],
  ],
  [
    "a wildcard that would open a dangerous tool to chats",
    [{ tool: "*", effect: "ask", callers: ["anyone"] }],
    builtin("shell", true),
    friend,
    "chats",
    ["chats"],
  ],
  [
    "a wildcard that would allow a dangerous tool without a question",
    [{ tool: "p__*", effect: "allow" }],
    pluginTool("p__x", { danger: "dangerous" }),
    owner,
    "dangerous",
    ["dangerous"],
  ],
  [
    "a wider rule, though it is stricter",
    [
      { tool: "p__*", effect: "deny" },
      { tool: "p__x", effect: "allow" },
    ],
    pluginTool("p__x"),
    owner,
    "p__x: allow",
    ["less_exact"],
  ],
  [
    "a rule as exact as a stricter one, and the same once more",
    [
      { tool: "p__x", effect: "allow" },
      { tool: "p__x", effect: "ask" },
      { tool: "p__x", effect: "ask", callers: ["owner"] },
    ],
    pluginTool("p__x"),
    owner,
    "p__x: ask",
    ["twin", "less_strict"],
  ],
])("it says why these did not decide: %s", (_what, rules, found, caller, decided, lost) => {
  const said = why(rules, found, caller);
  const by =
    said.decided.by === "rule" ? `${said.decided.rule.tool}: ${said.decided.rule.effect}` : said.decided.why;
  expect(by).toBe(decided);
  expect(said.others.map((one) => one.lost)).toEqual(lost);
});

test("rules of other tools are not spoken of", () => {
  expect(why([{ tool: "q__*", effect: "deny" }], pluginTool("p__x")).others).toEqual([]);
});

test("the list of rules stands in the order in which they win", () => {
  const rules: PolicyRule[] = [
    { tool: "*", effect: "allow" },
    { tool: "p__x", effect: "allow" },
    { tool: "p__*", effect: "ask" },
    { tool: "p__*", effect: "deny" },
    { tool: "p__x", effect: "deny" },
  ];
  expect(inOrder(rules).map(({ tool, effect }) => `${tool} ${effect}`)).toEqual([
    "p__x deny",
    "p__x allow",
    "p__* deny",
    "p__* ask",
    "* allow",
  ]);
});

const names = ["p__x", "p__y", "q__z", "shell"] as const;
const callerArbitrary: fc.Arbitrary<Caller> = fc.constantFrom(owner, stranger, friend, {
  ...stranger,
  channel: "slack",
});
const callersArbitrary = fc.option(
  fc.array(
    fc.constantFrom(
      "owner" as const,
      "anyone" as const,
      { channel: "telegram" },
      { channel: "telegram", userId: "8" },
      { channel: "telegram", role: "user" },
    ),
    { maxLength: 2 },
  ),
  { nil: undefined },
);
const ruleArbitrary = fc
  .record({
    tool: fc.constantFrom(...names, "*", "p__*", "p_*", "q*", "sh*", "other"),
    effect: fc.constantFrom("allow", "ask", "deny"),
    callers: callersArbitrary,
  })
  .map(({ callers, ...rule }): PolicyRule => ({ ...rule, ...(callers && { callers }) }));
const foundArbitrary = fc
  .record({
    name: fc.constantFrom(...names),
    danger: fc.constantFrom(undefined, "safe", "dangerous", "unknown"),
    readOnly: fc.boolean(),
    dangerous: fc.boolean(),
  })
  .map(({ name, danger, readOnly, dangerous }) =>
    name === "shell" ? builtin(name, dangerous) : pluginTool(name, { readOnly, ...(danger && { danger }) }),
  );

test("what is explained is what is decided, whatever the rules, the tool and the caller", () => {
  fc.assert(
    fc.property(
      fc.array(ruleArbitrary, { maxLength: 8 }),
      foundArbitrary,
      callerArbitrary,
      fc.constantFrom<Trust>("official", "unverified"),
      (policy, found, caller, trust) => {
        const verdict = verdictOn(agentWith(policy), found, caller, trusting(trust));
        const said = explain(agentWith(policy), found, caller, trusting(trust));
        expect(said.effect).toBe(verdict.effect);
        expect(said.decided).toEqual(
          verdict.by ? { by: "rule", rule: verdict.by } : { by: "default", why: verdict.why },
        );
        const naming = policy.filter(({ tool }) =>
          tool.endsWith("*") ? found.info.name.startsWith(tool.slice(0, -1)) : tool === found.info.name,
        );
        expect(said.others).toHaveLength(naming.length - (verdict.by ? 1 : 0));
      },
    ),
    { numRuns: 500 },
  );
});
