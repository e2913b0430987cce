import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { type ProviderServer, providerServer } from "../test/support/provider-server.ts";
import { openaiChat, openaiResponses } from "../test/support/provider-wire.ts";
import { type App, expect, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

const names = ["gpt-5", "gpt-5-mini", "gpt-4.1", "my-own-tuning"];

/** The part of Settings with the model of the agent, being changed. */
async function changing(app: App) {
  await app.goTo("/agents/helper/settings/models");
  const model = app.page.getByRole("region", { name: "Model of Helper" });
  await model.getByRole("button", { name: "Change the model of Helper" }).click();
  return model;
}

const pasteInto = async (page: Page, label: RegExp, text: string) => {
  await page.getByLabel(label).focus();
  await page.keyboard.insertText(text);
};

test("a provider is chosen, its key is tried as it is pasted, and a model comes from its own list", async ({
  app,
}) => {
  const { page } = app;
  await using server = await providerServer(openaiResponses, "good-key-4711", names);
  const model = await changing(app);
  await model.getByLabel("Model", { exact: true }).selectOption({ label: "OpenAI" });
  await expect(model.getByText("Keys are made at platform.openai.com/api-keys.")).toBeVisible();
  await model.getByText("Use another address").click();
  await model.getByLabel("Address").fill(`${server.url}/v1`);

  await pasteInto(page, /^API key/, "wrong-key-4711");
  await expect(model.getByText("refused the key.")).toBeVisible();
  await model.getByLabel("Model name").fill("gpt-5");
  await expect(model.getByRole("button", { name: "Save anyway" })).toBeVisible();
  expect(await app.ask("GET", "/agents/helper")).toMatchObject({ model: { kind: "none" } });

  await model.getByLabel(/^API key/).fill("");
  await pasteInto(page, /^API key/, "good-key-4711");
  await expect(model.getByText("Works: 4 models.")).toBeVisible();
  await model.getByLabel("Model name").fill("gpt-5-");
  const list = page.getByRole("listbox", { name: "Models of OpenAI" });
  await expect(list.getByRole("option")).toHaveCount(1);
  await expect(list.getByRole("option")).toContainText("sees pictures · thinks · $");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(model.getByLabel("Model name")).toHaveValue("gpt-5-mini");
  await model.getByLabel("Model name").fill("gpt-next");
  await expect(model.getByText("“gpt-next” is not in the list of OpenAI; it may still work.")).toBeVisible();
  await model.getByLabel("Model name").fill("gpt-5");
  await page.keyboard.press("Escape");
  await expectNoViolationsInBoth(page, "the choice of a model");
  await model.getByRole("button", { name: "Save model" }).click();
  await expect(model.getByText("gpt-5 · OpenAI")).toBeVisible();
  expect(await app.ask("GET", "/agents/helper")).toMatchObject({
    model: { kind: "provider", provider: "openai", model: "gpt-5", apiKey: `\${OPENAI_API_KEY}` },
  });
  // The key went to the one address, and was not stored while it was refused.
  expect(server.listings.map(({ authorization }) => authorization)).toEqual([
    "Bearer wrong-key-4711",
    "Bearer good-key-4711",
  ]);

  server.next({ say: { text: ["Good ", "day."] } });
  await app.openConversation();
  await page.getByRole("button", { name: "Thinking: As the provider does" }).click();
  await page.getByRole("menuitem", { name: "High" }).click();
  await expect(page.getByRole("button", { name: "Thinking: High" })).toBeVisible();
  await app.send("Hello");
  await expect(page.getByText("Good day.")).toBeVisible();
  expect(openaiResponses.read(server.requests[0]?.body ?? {}).thinking).toBe("high");

  await page.getByRole("button", { name: "Model: gpt-5. Choose another" }).click();
  await page.getByRole("searchbox", { name: "Find a model" }).fill("tuning");
  await page.getByRole("option", { name: /my-own-tuning/ }).click();
  await expect(page.getByRole("button", { name: "Model: my-own-tuning. Choose another" })).toBeVisible();
  // Nothing is known of how that one thinks.
  await expect(page.getByRole("button", { name: /^Thinking/ })).toHaveCount(0);
});

test("where a list says nothing of the key, saving tries it with one short question", async ({ app }) => {
  const { page } = app;
  await using server = await providerServer(openaiChat, "good-key-4711");
  const model = await changing(app);
  await model.getByLabel("Model", { exact: true }).selectOption("openai-compatible");
  // Of this server nothing but answers can be had.
  await using answersOnly = await withoutList(server.url);
  await model.getByLabel("Address").fill(`${answersOnly.url}/v1`);
  await model.getByLabel("Model name").fill("gpt-5");
  await page.keyboard.press("Escape");
  await pasteInto(page, /^API key/, "wrong-key-4711");
  await expect(model.getByText(/^It gives no list of its models\./)).toBeVisible();
  await model.getByRole("button", { name: "Save model" }).click();
  await expect(model.getByText("refused the key for gpt-5.")).toBeVisible();
  await expect(model.getByRole("button", { name: "Save anyway" })).toBeVisible();
  expect(await app.ask("GET", "/agents/helper")).toMatchObject({ model: { kind: "none" } });
  server.next({ say: { text: ["ok"] } });
  await model.getByLabel(/^API key/).fill("");
  await pasteInto(page, /^API key/, "good-key-4711");
  await model.getByRole("button", { name: "Save model" }).click();
  await expect(model.getByText(/^gpt-5 ·/)).toBeVisible();
});

/** The same server without its list of models. */
async function withoutList(url: string): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(async (request, response) => {
    if (request.method === "GET") return void response.writeHead(404).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = await fetch(`${url}${request.url}`, {
      method: "POST",
      headers: { authorization: String(request.headers.authorization) },
      body: Buffer.concat(chunks),
    });
    response.writeHead(answer.status, { "content-type": String(answer.headers.get("content-type")) });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("an address is completed, and the place where its models are is found by trying", async ({ app }) => {
  const { page } = app;
  await using server = await providerServer({ ...openaiChat, path: /^\/v1\// }, "", ["tiny"]);
  const host = new URL(server.url).host;
  const model = await changing(app);
  await model.getByLabel("Model", { exact: true }).selectOption("openai-compatible");
  await model.getByLabel("Address").fill(host);
  await model.getByLabel("Model name").focus();
  await expect(model.getByLabel("Address")).toHaveValue(`http://${host}/v1`);

  await using other = await onlyBelowV1();
  await model.getByLabel("Address").fill(other.url);
  await model.getByLabel("Model name").focus();
  await expect(model.getByText("It answers: 1 model.")).toBeVisible();
  await expect(model.getByLabel("Address")).toHaveValue(`${other.url}/v1`);
  await page.getByRole("option", { name: /tiny/ }).click();
  await model.getByRole("button", { name: "Save model" }).click();
  await expect(model.getByText(/^tiny ·/)).toBeVisible();
  expect(await app.ask("GET", "/agents/helper")).toMatchObject({
    model: { kind: "openai-compatible", model: "tiny", baseUrl: `${other.url}/v1` },
  });
});

/** A server that needs no key, and has its models where most have them. */
async function onlyBelowV1(): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    if (request.url !== "/v1/models") return void response.writeHead(404).end("not here");
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ object: "list", data: [{ id: "tiny", object: "model" }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.describe("with Ollama on this computer", () => {
  let ollama: Awaited<ReturnType<typeof onlyBelowV1>>;
  const before = process.env.OLLAMA_HOST;
  test.beforeAll(async () => {
    ollama = await onlyBelowV1();
    process.env.OLLAMA_HOST = new URL(ollama.url).host;
  });
  test.afterAll(async () => {
    if (before === undefined) delete process.env.OLLAMA_HOST;
    else process.env.OLLAMA_HOST = before;
    await ollama[Symbol.asyncDispose]();
  });

  test("what runs here stands first in every choice of a model", async ({ app }) => {
    const model = await changing(app);
    await model.getByLabel("Model", { exact: true }).selectOption({ label: "tiny (Ollama)" });
    await expect(model.getByLabel("Model name")).toHaveValue("tiny");
    await expect(model.getByText("It answers: 1 model.")).toBeVisible();
    await model.getByRole("button", { name: "Save model" }).click();
    await expect(model.getByText(/^tiny ·/)).toBeVisible();
    expect(await app.ask("GET", "/agents/helper")).toMatchObject({
      model: { kind: "openai-compatible", model: "tiny", baseUrl: `${ollama.url}/v1` },
    });
  });
});

async function talkingTo(app: App, server: ProviderServer): Promise<void> {
  await app.ask("PUT", "/secrets/OPENAI_API_KEY", { value: "good-key" });
  const model = { kind: "provider", provider: "openai", model: "gpt-5", apiKey: `\${OPENAI_API_KEY}` };
  await app.ask("PATCH", "/agents/helper", { model: { ...model, baseUrl: `${server.url}/v1` } });
}

test("a provider that asks to wait is waited for with a countdown, which can be stopped", async ({ app }) => {
  const { page } = app;
  await using server = await providerServer(openaiResponses);
  await talkingTo(app, server);
  server.next({ fail: "rate", retryAfter: 3 }, { say: { text: ["Here I am."] } });
  await app.openConversation();
  await app.send("Hello");
  const host = new URL(server.url).host;
  await expect(page.getByText(`${host} takes no more requests at the moment.`)).toBeVisible();
  await expect(page.getByText(`${host} asks to wait 3 s.`)).toBeVisible();
  await expectNoViolationsInBoth(page, "a provider that is waited for");
  await expect(page.getByText("Here I am.")).toBeVisible();
  await expect(page.getByText("takes no more requests")).toHaveCount(0);

  server.next({ fail: "rate", retryAfter: 60 });
  await app.send("And now?");
  await expect(page.getByText(/asks to wait \d+ s\./)).toBeVisible();
  await page.getByRole("button", { name: "Stop waiting" }).click();
  await expect(page.getByText(/asks to wait/)).toHaveCount(0);
  expect(server.requests).toHaveLength(3);
});

test("a conversation that is too long is compacted, and what was asked is asked again", async ({ app }) => {
  const { page } = app;
  await using server = await providerServer(openaiResponses);
  await talkingTo(app, server);
  server.next(
    { say: { text: ["Hello."] } },
    { fail: "long" },
    { say: { text: ["They said hello."] } },
    { say: { text: ["It is late."] } },
  );
  await app.openConversation();
  await app.send("Hello");
  await expect(page.getByText("Hello.", { exact: true })).toBeVisible();
  await app.send("How late is it?");
  await expect(page.getByText("The conversation is too long for gpt-5.", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Compact and try again" }).click();
  await expect(page.getByText("It is late.")).toBeVisible();
  expect(JSON.stringify(server.requests[3]?.body.input)).toContain("They said hello.");
});
