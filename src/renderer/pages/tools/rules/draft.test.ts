import { expect, test } from "vitest";
import type { RuleDraft } from "../../../../contract/permissions/explanation.ts";
import { ruleOf, typedOf } from "./draft.ts";

test.each<RuleDraft>([
  { tool: "shell", effect: "allow" },
  { tool: "*", effect: "deny", callers: ["anyone"] },
  { tool: "p__*", effect: "ask", callers: ["owner", "anyone", { channel: "telegram" }] },
  {
    tool: "p__x",
    effect: "deny",
    callers: [
      { channel: "telegram", role: "user" },
      { channel: "irc", userId: "7" },
    ],
  },
])("%j comes out of the form as it went in", (rule) => {
  expect(ruleOf(typedOf(rule, "first"))).toEqual(rule);
});

test("a star that is typed stands once at the end, and nobody at all is no rule", () => {
  const typed = typedOf(null, "shell");
  expect(ruleOf({ ...typed, which: "several", begins: " p__* " })?.tool).toBe("p__*");
  expect(ruleOf({ ...typed, owner: false })).toBeNull();
  expect(ruleOf({ ...typed, tool: "" })).toBeNull();
});
