import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answering, modern, newClient, oldClient, ServedHome, textOf } from "./as-server-world.ts";

/** What the tests need of a client, whichever of the SDKs it comes from. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string; annotations?: unknown; inputSchema: unknown }[] }>;
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    ...more: never[]
  ): Promise<{ content?: unknown; isError?: unknown; structuredContent?: unknown }>;
  close(): Promise<void>;
}
const clients: [string, (served: ServedHome, answering?: Answering) => Promise<AnyClient>][] = [
  [
    "the client of 2025",
    async (served, answering) => (await oldClient(served, answering)) as unknown as AnyClient,
  ],
  [
    "the present client by initialize",
    async (served, answering) => (await newClient(served, "legacy", answering)) as unknown as AnyClient,
  ],
  [
    "the present client of 2026-07-28",
    async (served, answering) => (await newClient(served, modern, answering)) as unknown as AnyClient,
  ],
];

describe("an agent's tools over stdio", () => {
  let free: ServedHome;
  beforeAll(async () => {
    free = await ServedHome.make([
      { tool: "*", effect: "allow" },
      { tool: "kit__wait", effect: "ask" },
      { tool: "kit__picture", effect: "deny" },
    ]);
  });
  afterAll(() => free.remove());

  it.each(clients)("%s lists and calls tools of two systems behind the guard", async (_name, connect) => {
    const client = await connect(free);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["kit__echo", "fledge_hello__hello", "read_file"]));
    expect(names).not.toContain("kit__picture");
    expect(tools.find(({ name }) => name === "read_file")?.annotations).toMatchObject({ readOnlyHint: true });
    expect(tools.find(({ name }) => name === "kit__echo")).toMatchObject({
      inputSchema: { type: "object", properties: { text: { type: "string" } } },
      annotations: { readOnlyHint: false },
    });
    const call = (name: string, input: Record<string, unknown> = {}) =>
      client.callTool({ name, arguments: input });
    expect(await call("kit__echo", { text: "one" })).toMatchObject({
      content: [{ type: "text", text: "echo one" }],
      structuredContent: { length: 3 },
    });
    expect(textOf(await call("kit__echo", { text: "gold" }))).toContain("The plugin warden blocked");
    expect(textOf(await call("fledge_hello__hello", { name: "Ada" }))).toContain("Hello Ada");
    expect(await call("kit__fail")).toMatchObject({ isError: true });
    expect(textOf(await call("kit__picture"))).toContain("forbids");
    expect(textOf(await call("kit__nothing"))).toContain("has no tool named kit__nothing");
    expect(textOf(await call("kit__wait"))).toMatch(
      /kit.wait asks before each call, and Test program cannot show you the question. Allow it in Patchbay/,
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => call("kit__echo", { text: String(index) })),
    );
    expect(answers.map(textOf)).toEqual(Array.from({ length: 20 }, (_, index) => `echo ${index}`));
    await client.close();
  });
});
