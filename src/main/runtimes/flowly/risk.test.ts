import { expect, test } from "vitest";
import { riskLevelOf } from "../../../contract/index.ts";
import { insightsOf } from "./risk.ts";

test.each([
  [[], [], [], "low"],
  [["on_session_start", "toString", "unknown"], ["weather"], [], "low"],
  [["pre_tool_call", "post_tool_call"], [], ["calls"], "medium"],
  [["pre_gateway_dispatch"], ["exec"], ["messages", "builtins"], "medium"],
  [[], ["read_file", "note"], ["builtins"], "medium"],
  [["post_llm_call"], [], ["prompts"], "high"],
  [["pre_tool_call", "transform_tool_result", "pre_llm_call"], [], ["prompts", "results", "calls"], "high"],
] as const)("hooks %j and tools %j let %j through: %s", (hooks, tools, insights, level) => {
  expect(insightsOf({ hooks, tools })).toEqual(insights);
  expect(riskLevelOf(insights)).toBe(level);
});
