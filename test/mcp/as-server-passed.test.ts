import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { type Answering, modern, newClient, ServedHome, textOf } from "./as-server-world.ts";
import { authors, PICTURE } from "./servers/shelf.ts";

let served: ServedHome;
let app: RunningApp;
let token: string;
beforeAll(async () => {
  served = await ServedHome.make(
    [
      { tool: "*", effect: "ask" },
      { tool: "prompts:*", effect: "allow" },
      { tool: "prompts:odd", effect: "deny" },
      { tool: "resources:newer", effect: "allow" },
      { tool: "resources:odd", effect: "allow" },
      { tool: "resources:twin", effect: "allow" },
    ],
    {
      shelf: "shelf-legacy",
      twin: "shelf-legacy",
      newer: "shelf-modern",
      odd: "shelf-raw",
      liar: "changing",
    },
  );
  const file = join(served.folder, "script.json");
  const call = { tool: "resources:odd", input: { uri: "many://5" } };
  await writeFile(file, JSON.stringify([{ say: "I read.", call }, { say: "Done." }]));
  await served.here((client) => client.agents.update({ agentId: "ada", model: { kind: "scripted", file } }));
  app = await startApp(served.home);
  const given = await app.rest("POST", "/agents/ada/programs", { name: "Notes" });
  ({ token } = given as { token: string });
}, 180_000);
afterAll(async () => {
  await app?.close();
  await served?.remove();
});

const transport = () =>
  [
    new URL(`${app.url}/mcp/ada`),
    { requestInit: { headers: { authorization: `Bearer ${token}` } } },
  ] as const;
const info = { name: "test-program", title: "Test program", version: "1" };

async function connect(mode: "legacy" | { pin: string }, answering?: Answering): Promise<Client> {
  const capabilities = answering ? { elicitation: { form: {} } } : {};
  const client = new Client(info, { capabilities, versionNegotiation: { mode } });
  if (answering) client.setRequestHandler("elicitation/create", ({ params }) => answering({ ...params }));
  await client.connect(new StreamableHTTPClientTransport(...transport()));
  return client;
}
const from = (owner: string, uri: string) => `patchbay://${owner}/${uri}`;

describe.each([
  ["initialize", "legacy" as const],
  ["2026-07-28", modern],
])("by %s", (_name, mode) => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(mode);
  });
  afterAll(() => client?.close());

  it("prompts of all plugins are listed under names of their own, and filled in", async () => {
    const { prompts } = await client.listPrompts();
    const names = prompts.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["shelf:review", "twin:review", "newer:review", "shelf:help", "liar:tidy"]),
    );
    expect(names.filter((name) => name.startsWith("odd:"))).toEqual([]);
    expect(prompts.find(({ name }) => name === "newer:review")).toMatchObject({
      description: "Reviews a book.",
      arguments: [{ name: "author", required: true }, { name: "book" }, { name: "tone" }],
    });
    const args = { author: "Ada Lovelace", tone: "kind" };
    const { messages } = await client.getPrompt({ name: "newer:review", arguments: args });
    expect(messages).toMatchObject([
      { role: "user", content: { text: "Here is everything by Ada Lovelace." } },
      { role: "user", content: { text: "[From shelf://notes]" } },
      { role: "user", content: { text: "# Notes\nOne and one is two." } },
      { role: "assistant", content: { text: "I have read it." } },
      { role: "user", content: { text: "Now write a review in a kind tone." } },
      { role: "user", content: { type: "image", data: PICTURE, mimeType: "image/png" } },
    ]);
  });

  it.each([
    ["lacks an argument", "shelf:review", { tone: "kind" }, /lacks author/],
    ["is not there", "shelf:nothing", {}, /no prompt named shelf:nothing/],
    ["is denied by a rule", "odd:spoken", {}, /no prompt named odd:spoken/],
    ["a guard blocks", "shelf:review", { author: "gold" }, /The plugin warden blocked/],
  ])("a prompt that %s is refused in a sentence", async (_why, name, args, says) => {
    await expect(client.getPrompt({ name, arguments: args })).rejects.toThrow(says);
  });

  it("resources of all plugins are listed whole, with their plugins in the addresses, and read", async () => {
    // The client asks for page after page.
    const uris = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(uris.length).toBeGreaterThan(5_000);
    expect(new Set(uris).size).toBe(uris.length);
    expect(uris).toEqual(
      expect.arrayContaining([
        from("shelf", "shelf://notes"),
        from("twin", "shelf://notes"),
        from("odd", "many://4999"),
      ]),
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
      from("newer", "shelf://books/{author}/{book}"),
    );
    const read = async (owner: string, uri: string) =>
      (await client.readResource({ uri: from(owner, uri) })).contents;
    expect(await read("newer", "shelf://notes")).toEqual([
      {
        uri: from("newer", "shelf://notes"),
        mimeType: "text/markdown",
        text: "# Notes\nOne and one is two.",
      },
    ]);
    expect(await read("newer", "shelf://cover.png")).toMatchObject([
      { mimeType: "image/png", blob: PICTURE },
    ]);
    expect(await read("newer", "shelf://books/Ada/Notes")).toMatchObject([
      { text: "The text of shelf://books/Ada/Notes" },
    ]);
    expect(await read("odd", "many://5")).toEqual([
      {
        uri: from("odd", "many://5"),
        mimeType: "application/pdf",
        blob: Buffer.from("%PDF").toString("base64"),
      },
    ]);
    // What a guard makes of an answer is what goes out.
    expect(await read("twin", "shelf://cover.png")).toMatchObject([{ text: "covered" }]);
  });

  it.each([
    ["fails", from("newer", "shelf://lost"), /The shelf is empty there/],
    ["a guard blocks", from("newer", "shelf://books/gold/x"), /The plugin warden blocked/],
    ["is of no plugin", from("nobody", "shelf://notes"), /not found/i],
    ["names no plugin", "file:///etc/passwd", /not found/i],
    ["asks first, where nobody can be asked", from("shelf", "shelf://notes"), /cannot show you the question/],
    ["is too large", from("odd", "many://7"), /too large to be passed on/],
  ])("a resource that %s is refused in a sentence", async (_why, uri, says) => {
    await expect(client.readResource({ uri })).rejects.toThrow(says);
  });

  it("values are suggested where nothing asks first", async () => {
    const author = (ref: Parameters<Client["complete"]>[0]["ref"]) =>
      client.complete({ ref, argument: { name: "author", value: "" } });
    const suggested = async (ref: Parameters<Client["complete"]>[0]["ref"]) =>
      (await author(ref)).completion.values;
    expect(await suggested({ type: "ref/prompt", name: "newer:review" })).toEqual(authors);
    const template = "shelf://books/{author}/{book}";
    expect(await suggested({ type: "ref/resource", uri: from("newer", template) })).toEqual(authors);
    expect(await suggested({ type: "ref/resource", uri: from("shelf", template) })).toEqual([]);
    expect(await suggested({ type: "ref/prompt", name: "odd:quiet" })).toEqual([]);
    const book = await client.complete({
      ref: { type: "ref/prompt", name: "newer:review" },
      argument: { name: "book", value: "N" },
      context: { arguments: { author: "Alan Turing" } },
    });
    expect(book.completion.values).toEqual(["Numbers"]);
  });

  it("one that asks first is read once the person has proved that the yes is theirs", async () => {
    const before = app.codes.count;
    const asking = await connect(mode, async ({ message }) => ({
      action: "accept",
      content: { answer: message.includes("confirmation code") ? await app.codes.after(before) : "once" },
    }));
    const { contents } = await asking.readResource({ uri: from("shelf", "shelf://notes") });
    expect(contents).toMatchObject([{ text: "# Notes\nOne and one is two." }]);
    await asking.close();
  });

  it("with a stolen token nothing is read that asks first: the question waits in Patchbay", async () => {
    const thief = await connect(mode, ({ message }) => ({
      action: "accept",
      content: { answer: message.includes("confirmation code") ? "123456" : "session" },
    }));
    const reading = thief.readResource({ uri: from("shelf", "shelf://notes") });
    reading.catch(() => {});
    const waiting = async () =>
      ((await app.rest("GET", "/approvals")) as { id: string; status: string; tool: string }[]).find(
        ({ status }) => status === "waiting",
      );
    await expect.poll(waiting).toMatchObject({
      tool: "resources:shelf",
      title: "shelf.resources",
      owner: "shelf",
      arguments: { uri: "shelf://notes" },
      caller: { kind: "owner", program: "Test program" },
    });
    const { id } = (await waiting()) as { id: string };
    await app.rest("POST", `/approvals/${id}/decide`, { answer: { decision: "deny", reason: "not now" } });
    await expect(reading).rejects.toThrow(/was not approved: not now/);
    await thief.close();
  });
});

it("tools have none of it in their list, and the client of 2025 is served as well", async () => {
  const client = new OldClient(info);
  await client.connect(new OldTransport(...transport()));
  const { tools } = await client.listTools();
  expect(tools.filter(({ name }) => name.includes(":"))).toEqual([]);
  expect((await client.listPrompts()).prompts.length).toBeGreaterThan(5);
  const { contents } = await client.readResource({ uri: from("newer", "shelf://notes") });
  expect(contents).toMatchObject([{ uri: from("newer", "shelf://notes") }]);
  await client.close();
});

it("no model can fetch it, although a rule allows it to programs", async () => {
  await app.cli("agent", "prompt", "ada", "Read it.");
  const [session] = (await app.rest("GET", "/agents/ada/sessions")) as { id: string }[];
  const entries = (await app.rest("GET", `/agents/ada/sessions/${session?.id}`)) as { type: string }[];
  const results = entries.filter(({ type }) => type === "tool_result");
  expect(results).toMatchObject([{ tool: "resources:odd", outcome: "failed" }]);
  expect(JSON.stringify(results)).toContain("has no tool named resources:odd");
});

it("over stdio, what is new or gone is told, and of a plugin that is off nothing is read", async () => {
  const client = await newClient(served, "legacy");
  await client.listPrompts();
  const heard = { prompts: Promise.withResolvers<void>(), resources: Promise.withResolvers<void>() };
  client.setNotificationHandler("notifications/prompts/list_changed", () => heard.prompts.resolve());
  client.setNotificationHandler("notifications/resources/list_changed", () => heard.resources.resolve());
  await app.rest("PUT", "/agents/ada/plugins/newer", { enabled: false });
  await Promise.all([heard.prompts.promise, heard.resources.promise]);
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).not.toContain("newer:review");
  const uri = from("newer", "shelf://notes");
  await expect(client.readResource({ uri })).rejects.toThrow(/not found/i);
  expect(
    textOf(await client.callTool({ name: "resources:newer", arguments: { uri: "shelf://notes" } })),
  ).toMatch(/has no tool/);
  await client.close();
});

it("a prompt that says something else is held: not listed, and not served by any way", async () => {
  const client = await connect("legacy");
  const get = () => client.getPrompt({ name: "liar:tidy" });
  expect((await get()).messages).toMatchObject([{ content: { text: "Tidy, as ." } }]);
  await app.rest("POST", "/agents/ada/tools/liar__become/call", { input: { mode: "everything" }, yes: true });
  await expect
    .poll(async () => (await client.listPrompts()).prompts.map(({ name }) => name))
    .not.toContain("liar:tidy");
  await expect(get()).rejects.toThrow(/no prompt named/);
  const byTool = await client.callTool({ name: "prompts:liar", arguments: { prompt: "tidy" } });
  expect(byTool.isError).toBe(true);
  expect(textOf(byTool)).not.toContain("Tidy, as");
  await client.close();
});
