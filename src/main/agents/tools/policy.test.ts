import { expect, test } from "vitest";
import type { Caller, PolicyRule, ToolInfo, Trust } from "../../../contract/index.ts";
import { decidePolicy } from "./policy.ts";
import { allowFromNowOn } from "./rules.ts";

const owner: Caller = { kind: "owner" };
const stranger: Caller = { kind: "channel", channel: "telegram", userId: "7" };
const friend: Caller = { kind: "channel", channel: "telegram", userId: "8", role: "friend" };

function tool(name: string, more: Partial<ToolInfo> = {}): ToolInfo {
  const pluginKey = name.includes("__") ? "p" : null;
  return { name, title: name, description: "", parameters: {}, readOnly: false, owner: pluginKey, ...more };
}

function effect(
  rules: PolicyRule[],
  subject: { tool: ToolInfo; caller?: Caller; trust?: Trust; dangerous?: boolean },
): string {
  const trust = subject.tool.owner === null ? null : (subject.trust ?? "unverified");
  const { caller = owner, dangerous = false } = subject;
  return decidePolicy(rules, { tool: subject.tool, caller, trust, dangerous }).effect;
}

test.each([
  ["a plugin tool asks the owner", tool("p__x"), owner, undefined, false, "ask"],
  [
    "a read-only tool of an unverified plugin asks",
    tool("p__x", { readOnly: true }),
    owner,
    "unverified",
    false,
    "ask",
  ],
  [
    "a read-only tool of an official plugin is allowed",
    tool("p__x", { readOnly: true }),
    owner,
    "official",
    false,
    "allow",
  ],
  [
    "a read-only tool of a built-in plugin is allowed",
    tool("p__x", { readOnly: true }),
    owner,
    "built-in",
    false,
    "allow",
  ],
  ["a writing tool of an official plugin asks", tool("p__x"), owner, "official", false, "ask"],
  ["a built-in that reads is allowed", tool("read_file"), owner, undefined, false, "allow"],
  ["a built-in that writes asks", tool("write_file"), owner, undefined, true, "ask"],
  [
    "a channel user may not use a plugin tool",
    tool("p__x", { readOnly: true }),
    stranger,
    "official",
    false,
    "deny",
  ],
  ["a channel user may not read files", tool("read_file"), stranger, undefined, false, "deny"],
  ["a channel user may not run commands", tool("shell"), stranger, undefined, true, "deny"],
] as const)("%s by default", (_what, subject, caller, trust, dangerous, expected) => {
  expect(effect([], { tool: subject, caller, trust, dangerous })).toBe(expected);
});

test("the most exact rule wins, whatever its place", () => {
  const rules: PolicyRule[] = [
    { tool: "p__x", effect: "allow" },
    { tool: "p__*", effect: "deny" },
    { tool: "*", effect: "ask" },
  ];
  expect(effect(rules, { tool: tool("p__x") })).toBe("allow");
  expect(effect(rules, { tool: tool("p__y") })).toBe("deny");
  expect(effect(rules, { tool: tool("q__z") })).toBe("ask");
});

test("among equally exact rules the strictest wins", () => {
  const rules: PolicyRule[] = [
    { tool: "p__x", effect: "allow" },
    { tool: "p__x", effect: "deny" },
    { tool: "p__x", effect: "ask" },
  ];
  expect(effect(rules, { tool: tool("p__x") })).toBe("deny");
});

test("a rule without callers is for the owner alone", () => {
  const rules: PolicyRule[] = [{ tool: "p__x", effect: "allow" }];
  expect(effect(rules, { tool: tool("p__x") })).toBe("allow");
  expect(effect(rules, { tool: tool("p__x"), caller: stranger })).toBe("deny");
});

test("a rule may name a channel, a user or a role", () => {
  const x = tool("p__x");
  const byUser: PolicyRule[] = [
    { tool: "p__x", effect: "allow", callers: [{ channel: "telegram", userId: "8" }] },
  ];
  expect(effect(byUser, { tool: x, caller: friend })).toBe("allow");
  expect(effect(byUser, { tool: x, caller: stranger })).toBe("deny");
  const byRole: PolicyRule[] = [
    { tool: "p__x", effect: "ask", callers: [{ channel: "telegram", role: "friend" }] },
  ];
  expect(effect(byRole, { tool: x, caller: friend })).toBe("ask");
  expect(effect(byRole, { tool: x, caller: stranger })).toBe("deny");
  const other: PolicyRule[] = [{ tool: "p__x", effect: "allow", callers: [{ channel: "slack" }] }];
  expect(effect(other, { tool: x, caller: friend })).toBe("deny");
  expect(
    effect([{ tool: "p__x", effect: "allow", callers: ["anyone"] }], { tool: x, caller: stranger }),
  ).toBe("allow");
});

test("a wide rule never opens writing or running to channel users; one that names the tool does", () => {
  const shell = { tool: tool("shell"), caller: friend, dangerous: true };
  expect(effect([{ tool: "*", effect: "allow", callers: ["anyone"] }], shell)).toBe("deny");
  expect(effect([{ tool: "sh*", effect: "ask", callers: ["anyone"] }], shell)).toBe("deny");
  expect(effect([{ tool: "shell", effect: "ask", callers: ["anyone"] }], shell)).toBe("ask");
});

test("allowing a tool from now on replaces what was said about it and the same caller, and nothing else", () => {
  const rules: PolicyRule[] = [
    { tool: "p__x", effect: "ask" },
    { tool: "p__x", effect: "deny", callers: ["anyone"] },
    { tool: "p__y", effect: "deny" },
  ];
  expect(allowFromNowOn(rules, "p__x", owner)).toEqual([
    { tool: "p__x", effect: "deny", callers: ["anyone"] },
    { tool: "p__y", effect: "deny" },
    { tool: "p__x", effect: "allow" },
  ]);
  expect(allowFromNowOn([], "p__x", friend)).toEqual([
    { tool: "p__x", effect: "allow", callers: [{ channel: "telegram", userId: "8" }] },
  ]);
});
