import { expect, test } from "vitest";
import type { ToolInfo } from "../../../contract/index.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";
import { judgeContributions } from "./judge.ts";

const tool = (name: string): ToolInfo => ({
  name,
  title: name,
  description: "",
  parameters: {},
  readOnly: false,
  owner: "hub",
});
const said = (change: Partial<InstanceContributions>): InstanceContributions => ({
  tools: [],
  toolsets: [],
  hooks: [],
  commands: [],
  skills: [],
  prompts: [],
  channel: null,
  ...change,
});
const of = (runtime: string) => ({ key: "hub", runtime, generation: 3 });

test("names with mcp__ are taken from plugins of the system mcp alone", () => {
  const offer = said({ tools: [tool("mcp__hub__a__b"), tool("a__b")] });
  expect(judgeContributions(offer, of("mcp")).refused).toEqual([]);
  const { contributions, refused } = judgeContributions(offer, of("native"));
  expect(contributions.tools.map(({ name }) => name)).toEqual(["a__b"]);
  expect(refused).toHaveLength(1);
});

test("a tool whose owner is right stays the same object, so that its schema is compiled once", () => {
  const mine = tool("mine");
  expect(judgeContributions(said({ tools: [mine] }), of("native")).contributions.tools[0]).toBe(mine);
  const claimed = { ...tool("claimed"), owner: "another" };
  expect(judgeContributions(said({ tools: [claimed] }), of("native")).contributions.tools[0]?.owner).toBe(
    "hub",
  );
});

test("hook ids carry the generation", () => {
  const hook = { id: "h1", event: "turn.end@v1", priority: 1, timeoutMs: 1, failureMode: "skip" as const };
  expect(judgeContributions(said({ hooks: [hook] }), of("native")).contributions.hooks[0]?.id).toBe("3:h1");
});
