import { expect, test } from "vitest";
import type { PolicyRule, RuleOrigin } from "../../../contract/index.ts";
import { allowFromNowOn, revoked, switchedOff, switchedOn, withEffect, withOrigins } from "./rules.ts";

const origin: RuleOrigin = { at: "2026-01-02T03:04:05.000Z", from: "tools", answered: false };
const always: RuleOrigin = { at: "2026-01-01T00:00:00.000Z", from: "conversation", answered: true };

test("a tool that is switched off and on again has the rule that it had", () => {
  const before = allowFromNowOn([], "shell", { kind: "owner" }, always);
  const off = switchedOff(before, "shell", origin);
  expect(off.at(-1)).toEqual({ tool: "shell", effect: "deny", callers: ["anyone"], origin });
  expect(switchedOn(off, "shell", origin)).toEqual(before);
});

test("a tool that a rule for several tools refuses is asked about when it is switched on, and no other", () => {
  const rules: PolicyRule[] = [{ tool: "http__*", effect: "deny" }];
  expect(switchedOn(rules, "http__get", origin)).toEqual([
    ...rules,
    { tool: "http__get", effect: "ask", origin },
  ]);
});

test("taking back one rule leaves those for other people and other tools", () => {
  const rules: PolicyRule[] = [
    { tool: "shell", effect: "allow", origin: always },
    { tool: "shell", effect: "allow", callers: [{ channel: "irc", userId: "ann" }] },
    { tool: "shell", effect: "deny", callers: ["anyone"] },
    { tool: "http__*", effect: "allow" },
  ];
  expect(revoked(rules, { tool: "shell" })).toEqual(rules.slice(1));
});

test("the owner's wish replaces their older rule for the tool", () => {
  const rules: PolicyRule[] = [{ tool: "shell", effect: "deny" }];
  expect(withEffect(rules, "shell", "ask", origin)).toEqual([{ tool: "shell", effect: "ask", origin }]);
  expect(withEffect(rules, "shell", null, origin)).toEqual([]);
});

test("where a rule came from is the core's word, not the sender's; an old rule stays from before", () => {
  const stored: PolicyRule[] = [
    { tool: "old", effect: "allow" },
    { tool: "kept", effect: "allow", origin: always },
  ];
  const forged = { at: "2020-01-01T00:00:00.000Z", from: "approvals", answered: true } as const;
  expect(
    withOrigins(
      stored,
      [
        { tool: "old", effect: "allow", origin: forged },
        { tool: "kept", effect: "allow", origin: forged },
        { tool: "new", effect: "allow", origin: forged },
      ],
      origin,
    ),
  ).toEqual([
    { tool: "old", effect: "allow" },
    { tool: "kept", effect: "allow", origin: always },
    { tool: "new", effect: "allow", origin },
  ]);
});
