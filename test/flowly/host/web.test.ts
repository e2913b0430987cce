import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeHosts, type OpenHost, openHost } from "./flowly-host.ts";

const code = `
import os
from flowly.agent.tools.web_providers import WebSearchProvider
class Provider(WebSearchProvider):
    def __init__(self, name): self._name = name
    @property
    def name(self): return self._name
    def is_available(self):
        if self._name == "sick": raise SystemExit("never")
        return True
    def supports_extract(self): return self._name == "ddgs"
    def search(self, query, limit=5):
        if self._name == "sick": raise ConnectionError("no line")
        found = [{"title": "%s %d" % (self._name, at), "url": "https://a.invalid/%d" % at} for at in range(20)]
        return {"success": True, "data": {"web": found + [5, None]}}
    def extract(self, urls, **given):
        return [{"url": url, "title": repr(sorted(given.items())), "content": "c" * 30_000} for url in urls]
def register(ctx):
    ctx.register_tool(name="add", schema={}, handler=lambda name: ctx.register_web_search_provider(Provider(name)))
    ctx.register_tool(name="home", schema={}, handler=lambda: os.environ["FLOWLY_HOME"])
    ctx.register_web_search_provider(Provider("ddgs"))
`;

let host: OpenHost;
beforeAll(async () => {
  host = await openHost(code);
});
afterAll(closeHosts);

const firstLine = async (count: unknown = 1) =>
  (await host.tool("web_search", { query: "q", count })).split("\n")[2];
const extract = async (input: Record<string, unknown>) => JSON.parse(await host.tool("web_extract", input));

describe("web_search", () => {
  test.each([
    [undefined, 5],
    ["3", 3],
    [0, 1],
    [1000, 10],
    ["many", 5],
  ])("count %s gives %d results", async (count, results) => {
    const text = await host.tool("web_search", { query: "q", ...(count !== undefined && { count }) });
    expect(text.match(/^\d+\. /gm)).toHaveLength(results);
  });

  test("takes the one that can, then the preferred one, then the one that the settings name", async () => {
    await host.tool("add", { name: "sick" });
    expect(await firstLine()).toBe("1. ddgs 0");
    await host.tool("add", { name: "other" });
    expect(await firstLine()).toBe("1. ddgs 0");
    const config = join(await host.tool("home"), "config.json");
    const name = (backend: unknown) =>
      writeFileSync(config, JSON.stringify({ tools: { web: { search: { backend } } } }));
    name("other");
    expect(await firstLine()).toBe("1. other 0");
    name("sick");
    expect(await host.tool("web_search", { query: "q" })).toBe("Error: no line");
    name("nobody");
    expect(await host.tool("web_search", { query: "q" })).toBe(
      "Error: Web search not available. No API key or proxy configured.",
    );
    name(5);
    expect(await firstLine()).toBe("1. ddgs 0");
  });
});

describe("web_extract", () => {
  test.each([
    "http://127.1/",
    "http://0x7f000001/",
    "http://2130706433/",
    "http://１２７.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://169.254.169.254/latest",
    "http://100.64.0.1/",
    "http://224.0.0.1/",
    "http://person@10.0.0.1/",
    "http://printer.local./",
    "http://intranet/",
  ])("refuses %s", async (url) => {
    expect(await extract({ urls: [url] })).toEqual({
      success: false,
      results: [{ url, title: "", content: "", error: expect.stringMatching(/private network, which is/) }],
    });
  });

  test.each(["example.com", "", "http://host:99999/", "http://[/"])("calls %j no address", async (url) => {
    const { results } = await extract({ urls: [url, "https://a.invalid/"] });
    expect(results.map(({ error }: { error?: string }) => error)).toEqual([
      undefined,
      "This is no web address",
    ]);
  });

  test("cuts a page, and hands on only what the model gave", async () => {
    const { success, results } = await extract({ urls: ["https://a.invalid/"], query: "cats" });
    expect(success).toBe(true);
    expect(results[0]).toMatchObject({ title: "[('query', 'cats')]", truncated: true });
    expect(results[0].content).toHaveLength(20_000);
  });

  test("reads ten pages at once and no more", async () => {
    const urls = Array.from({ length: 11 }, (_, at) => `https://a.invalid/${at}`);
    expect((await extract({ urls: urls.slice(1) })).results).toHaveLength(10);
    expect(await extract({ urls })).toEqual({
      success: false,
      error: "From 1 to 10 addresses can be read at once",
    });
  });
});
