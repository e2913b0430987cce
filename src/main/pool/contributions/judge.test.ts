import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Capabilities, HookInfo, ToolInfo } from "../../../contract/index.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";
import { judgeContributions } from "./judge.ts";
import type { Accused } from "./objections.ts";

const dir = mkdtempSync(join(tmpdir(), "patchbay-judge-"));
mkdirSync(join(dir, "package"));
for (const path of ["package/skill.md", "secret.md"]) writeFileSync(join(dir, path), "read me");
symlinkSync(join(dir, "secret.md"), join(dir, "package/link.md"));
afterAll(() => rmSync(dir, { recursive: true }));

const tool = (name: string, change: Partial<ToolInfo> = {}): ToolInfo => ({
  name,
  title: name,
  description: "",
  parameters: {},
  readOnly: false,
  owner: "hub",
  ...change,
});
const hook = (event: string, id = "h1"): HookInfo => ({
  id,
  event,
  priority: 1,
  timeoutMs: 1,
  failureMode: "skip",
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
const of = (capabilities: Capabilities, runtime = "native"): Accused => ({
  manifestKey: "hub",
  runtime,
  capabilities,
  artifact: { kind: "folder", dir: join(dir, "package") },
});
const judge = (offer: Partial<InstanceContributions>, plugin: Accused, before?: InstanceContributions) =>
  judgeContributions(said(offer), plugin, 3, before);
const command = (name: string) => ({ name, description: "", owner: null });

test("names with mcp__ are taken from plugins of the system mcp alone", () => {
  const offer = { tools: [tool("mcp__hub__a__b"), tool("a__b")] };
  expect(judge(offer, of({ tools: {} }, "mcp")).refused).toEqual([]);
  const { contributions, refused } = judge(offer, of({ tools: {} }));
  expect(contributions.tools.map(({ name }) => name)).toEqual(["a__b"]);
  expect(refused).toHaveLength(1);
});

test("a tool whose owner is right stays the same object, so that its schema is compiled once", () => {
  const mine = tool("mine");
  expect(judge({ tools: [mine] }, of({ tools: {} })).contributions.tools[0]).toBe(mine);
  const claimed = tool("claimed", { owner: "another", title: "a\u202eb" });
  const [kept] = judge({ tools: [claimed] }, of({ tools: {} })).contributions.tools;
  expect(kept).toMatchObject({ owner: "hub", title: "a\ufffdb" });
  expect(kept?.parameters).toBe(claimed.parameters);
});

test("hook ids carry the generation", () => {
  const { contributions } = judge(
    { hooks: [hook("turn.end@v1")] },
    of({ hooks: { events: ["turn.end@v1"] } }),
  );
  expect(contributions.hooks[0]?.id).toBe("3:h1");
});

test("what the package does not declare is left out, each with a sentence for the audit log", () => {
  const offer = {
    tools: [tool("hub__a")],
    toolsets: [{ id: "set", description: "Obey." }],
    hooks: [hook("tool.before@v1"), hook("turn.end@v1", "h2")],
    commands: [command("mine"), command("other")],
    skills: [{ name: "s", description: "", path: "skill.md" }],
    channel: { name: "chat", webhook: true },
  };
  const plugin = of({ hooks: { events: ["turn.end@v1"] }, commands: { names: ["mine"] } });
  const { contributions, refused } = judge(offer, plugin);
  expect(contributions).toMatchObject({ tools: [], toolsets: [], skills: [], channel: null });
  expect(contributions.hooks.map(({ event }) => event)).toEqual(["turn.end@v1"]);
  expect(contributions.commands.map(({ name }) => name)).toEqual(["mine"]);
  expect(refused.map(({ target, wall }) => [target, wall])).toEqual([
    ["tool hub__a", true],
    ["hook on tool.before@v1", true],
    ["command other", true],
    ["skill s", true],
    ["toolset set", true],
    ["channel chat", true],
  ]);
  expect(contributions.leftOut).toEqual(refused.map(({ sentence }) => sentence));
});

test("tools stay inside of the declared namespace", () => {
  const { contributions, refused } = judge(
    { tools: [tool("hub__ok"), tool("shell"), tool("hubby__x")] },
    of({ tools: { namespace: "hub" } }),
  );
  expect(contributions.tools.map(({ name }) => name)).toEqual(["hub__ok"]);
  expect(refused.map(({ target }) => target)).toEqual(["tool shell", "tool hubby__x"]);
});

test("a package that declares commands and names none may bring any that can be typed", () => {
  const { contributions } = judge(
    { commands: [command("a"), command("b c"), command("d\u202ee")] },
    of({ commands: { names: [] } }),
  );
  expect(contributions.commands.map(({ name }) => name)).toEqual(["a"]);
});

test.each([
  ["skill.md", null],
  ["../secret.md", "outside"],
  ["link.md", "outside"],
  ["/etc/passwd", "outside"],
  ["missing.md", "not there"],
])("the skill file %s: %s", (path, why) => {
  const skills = [{ name: "s", description: "", path }];
  const { contributions, refused } = judge({ skills }, of({ skills: { names: ["s"] } }));
  expect(contributions.skills).toHaveLength(why === null ? 1 : 0);
  if (why !== null) expect(refused[0]?.sentence).toContain(why);
});

test("schemas are of a modest size and depth, and there are not too many tools", () => {
  let deep: Record<string, unknown> = {};
  for (let level = 0; level < 5_000; level += 1) deep = { properties: { a: deep } };
  const large = { description: "x".repeat(200_000) };
  const many = Array.from({ length: 600 }, (_, at) => tool(`t${at}`));
  const offer = {
    tools: [tool("deep", { parameters: deep }), tool("large", { parameters: large }), ...many],
  };
  const { contributions, refused } = judge(offer, of({ tools: {} }));
  expect(contributions.tools).toHaveLength(510);
  expect(refused.slice(0, 2).map(({ target }) => target)).toEqual(["tool deep", "tool large"]);
});

test("a tool that was said to change things is not believed when it says later that it only reads", () => {
  const tools = of({ tools: {} });
  const before = judge({ tools: [tool("a"), tool("b", { readOnly: true })] }, tools).contributions;
  const after = judge(
    { tools: [tool("a", { readOnly: true }), tool("b", { readOnly: true })] },
    tools,
    before,
  );
  expect(after.contributions.tools.map(({ readOnly }) => readOnly)).toEqual([false, true]);
});

test("sentences of a runtime are passed on as one line each, cut, and not without bound", () => {
  const notes = ["It registers\nthe tool \u202eb.", "x".repeat(5_000), ...Array.from({ length: 80 }, String)];
  const { contributions, refused } = judge({ notes }, of({ tools: {} }));
  expect(contributions.notes).toHaveLength(50);
  expect(contributions.notes?.[0]).toBe("It registers the tool \ufffdb.");
  expect(contributions.notes?.[1]).toHaveLength(1_000);
  expect(refused).toEqual([]);
  expect(judge({ notes: [] }, of({ tools: {} })).contributions).not.toHaveProperty("notes");
});
