import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeHosts, type OpenHost, openHost } from "./flowly-host.ts";

let host: OpenHost;
beforeAll(async () => {
  host = await openHost({
    key: "pack",
    manifest: { name: "pack", provides_tools: ["echo", "ghost"], provides_hooks: ["post_tool_call"] },
    files: {
      "__init__.py": `
from pathlib import Path
from flowly.agent.tools.web_providers import WebSearchProvider
HERE = Path(__file__).parent
class Untold:
    def __bool__(self): raise RuntimeError("neither")
async def co(a): return "async " + a
def boom(a): raise KeyError("k")
def leaves(a): raise SystemExit("bye")
replies = dict(none=None, zero=0, empty="", lst=[], five=5, dct={"a": None}, spaces="  ", raw=b"b", untold=Untold())
class Provider(WebSearchProvider):
    name = "mine"
    how = "fine"
    def is_available(self): return True
    def supports_extract(self): return True
    def search(self, query, limit=5):
        if self.how == "raise": raise ConnectionError("search down")
        if self.how == "none": return None
        if self.how == "fail": return {"success": False, "error": "quota"}
        return {"success": True, "data": {"web": [{"title": query, "url": "https://a.invalid/%d" % limit, "description": "D"}, {"title": "U", "url": "https://b.invalid"}]}}
    async def extract(self, urls, **kw): return [{"url": url, "title": "t", "content": "c" * 30} for url in urls]
def register(ctx):
    for name, value in replies.items(): ctx.register_command(name, lambda a, value=value: value)
    for name, handler in dict(co=co, boom=boom, leaves=leaves).items(): ctx.register_command(name, handler)
    ctx.register_command("echo", lambda a: "[%s]" % a, "Says it.", " <text> ")
    for name in (" /Two Words ", "//Slash", "/new", "HELP", "", "  ", "/"): ctx.register_command(name, lambda a: "ran")
    ctx.register_command("nothing", None)
    ctx.register_tool(name="echo", schema={}, handler=lambda: "")
    ctx.register_hook("pre_tool_call", lambda c: None)
    ctx.register_skill("k", HERE / "k" / "SKILL.md", "What it is for")
    ctx.register_skill("other", HERE / "o" / "notes.md")
    ctx.register_skill("broken", HERE / "b" / "SKILL.md")
    provider = Provider()
    ctx.register_web_search_provider(provider)
    ctx.register_tool(name="how", schema={}, handler=lambda how: setattr(Provider, "how", how))
`,
      "k/SKILL.md": `---
name: inner
description: "What it does" # for whom
tags: [a, "b, c", {d: e}]
metadata:
  flowly:
    requires:
      bins:
        - patchbay-no-such-program
      env: [PATCHBAY_NO_SUCH_NAME]
note: >-
  folded
  text
count: 3
---

# Title

Body
`,
      "k/references/a.md": "ref a\n",
      "k/scripts/run.sh": "echo hi\n",
      "k/other/x.md": "x",
      "o/notes.md": "notes\n",
      "o/SKILL.md": "plain text\n",
      "b/SKILL.md": "---\nname: [broken\nwhen: now\n---\nbody\n",
    },
  });
});
afterAll(closeHosts);

describe("a command", () => {
  test.each([
    ["none", ""],
    ["zero", ""],
    ["empty", ""],
    ["lst", ""],
    ["five", "5"],
    ["dct", "{'a': None}"],
    ["spaces", "  "],
    ["raw", "b'b'"],
    ["co", "async arg"],
    ["echo", "[arg]"],
    ["boom", "⚠️  /boom failed: 'k'"],
    ["untold", "⚠️  /untold failed: neither"],
    ["leaves", "⚠️  /leaves failed: SystemExit: bye"],
    ["two-words", "ran"],
    ["/Slash", "ran"],
    ["nothing", ""],
  ])("%s is answered", async (name, text) => {
    expect(await host.command(name, "arg")).toBe(text);
  });

  test("has a clean name; reserved and empty ones are left out with a warning", () => {
    const commands = host.offers[0]?.commands ?? [];
    expect(commands.slice(-4).map(({ name }) => name)).toEqual(["leaves", "echo", "two-words", "slash"]);
    expect(commands.find(({ name }) => name === "echo")).toEqual({
      name: "echo",
      description: "Says it.",
      argsHint: "<text>",
    });
    const warnings = host.logs.filter((line) => line.startsWith("plugin warn"));
    expect(warnings).toEqual([
      "plugin warn: plugin pack tried to override reserved /new — skipping",
      "plugin warn: plugin pack tried to override reserved /help — skipping",
      ...Array.from({ length: 3 }, () => "plugin warn: plugin pack: empty slash command name"),
      "plugin warn: The command /nothing cannot be offered, because it has no handler.",
    ]);
  });
});

describe("a skill", () => {
  const view = async (name: string, file_path?: string) =>
    JSON.parse(await host.tool("skill_view", { name, ...(file_path !== undefined && { file_path }) }));

  test("is offered by its qualified name, with the file", () => {
    expect(host.offers[0]?.skills[0]).toEqual({
      name: "pack:k",
      description: "What it is for",
      path: join(host.dir, "k/SKILL.md"),
    });
  });

  test("is shown with what it needs and what lies beside it", async () => {
    expect(await view("pack:k")).toMatchObject({
      name: "pack:k",
      description: "What it does",
      content: "# Title\n\nBody",
      frontmatter: { name: "inner", tags: ["a", "b, c", { d: "e" }], note: "folded text", count: 3 },
      linked_files: { references: ["references/a.md"], scripts: ["scripts/run.sh"] },
      readiness: "setup_needed",
      missing_requirements: ["CLI: patchbay-no-such-program", "ENV: PATCHBAY_NO_SUCH_NAME"],
      run_hint: expect.any(String),
    });
    expect(await view("pack:k", "references/a.md")).toEqual({
      skill: "pack:k",
      file_path: "references/a.md",
      content: "ref a\n",
    });
    const looked = await host.look("skill/pack%3Ak?file=scripts%2Frun.sh");
    expect(looked).toMatchObject({ content: "echo hi\n" });
  });

  test("whose front matter is broken is read line by line", async () => {
    expect(await view("pack:broken")).toMatchObject({
      content: "body",
      frontmatter: { name: "[broken", when: "now" },
    });
  });

  test.each([
    ["pack:nope", undefined, "Skill 'pack:nope' not found."],
    ["k", undefined, "Skill 'k' not found."],
    ["pack:k", "references/../SKILL.md", "Invalid file path — no traversal allowed."],
    ["pack:k", "/etc/passwd", "Invalid file path — no traversal allowed."],
    ["pack:k", "other/x.md", "File must be under: references, templates, scripts, assets"],
    ["pack:k", "references/none.md", "File not found: references/none.md"],
    ["pack:k", "references/", "Not a file: references/"],
  ])("%s %s is refused", async (name, path, error) => {
    expect(await view(name, path)).toEqual({ error });
  });

  test("whose file is gone later is not found", async () => {
    expect(await view("pack:other")).toMatchObject({ content: "plain text\n", readiness: "available" });
    rmSync(join(host.dir, "o"), { recursive: true });
    expect(await view("pack:other")).toEqual({ error: "Skill 'pack:other' not found." });
  });
});

describe("a search provider", () => {
  test("is two tools", async () => {
    expect(await host.tool("web_search", { query: "q", count: 2 })).toBe(
      "Results for: q\n\n1. q\n   https://a.invalid/2\n   D\n2. U\n   https://b.invalid",
    );
    expect(JSON.parse(await host.tool("web_extract", { urls: "https://a.invalid/y", maxChars: 10 }))).toEqual(
      {
        success: true,
        backend: "mine",
        results: [{ url: "https://a.invalid/y", title: "t", content: "cccccccccc", truncated: true }],
      },
    );
  });

  test("reads nothing of this machine", async () => {
    const urls = ["http://localhost/x", "file:///etc/passwd", "http://127.0.0.1/", "http://192.168.0.1/"];
    const { success, results } = JSON.parse(await host.tool("web_extract", { urls }));
    expect(success).toBe(false);
    expect(results.map(({ error }: { error: string }) => error)).toEqual([
      "Localhost access is blocked",
      "Scheme 'file' not allowed (only http/https)",
      "127.0.0.1 belongs to this computer or a private network, which is blocked",
      "192.168.0.1 belongs to this computer or a private network, which is blocked",
    ]);
  });

  test.each([
    ["raise", "Error: search down"],
    ["fail", "quota"],
    ["none", "Error executing web_search: 'NoneType' object has no attribute 'get'"],
  ])("that fails says so: %s", async (how, text) => {
    await host.tool("how", { how });
    expect(await host.tool("web_search", { query: "q" })).toBe(text);
  });
});

test("a look inside shows all that is registered, and what the manifest says against it", async () => {
  expect(await host.look("state")).toMatchObject({
    module: "flowly_plugins.pack",
    tools: {
      echo: { toolset: "extensions", available: true, source: "pack", parameters: { type: "object" } },
    },
    hooks: { pre_tool_call: ["pack.register.<locals>.<lambda>"] },
    commands: { echo: { description: "Says it.", args_hint: "<text>" } },
    skills: { "pack:k": { bare_name: "k" } },
    web: ["mine"],
    differences: {
      tools: { declared: ["ghost"] },
      hooks: { declared: ["post_tool_call"], registered: ["pre_tool_call"] },
    },
  });
});
