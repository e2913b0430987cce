import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Locator } from "@playwright/test";
import { type App, expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth, tabTo } from "./support/axe.ts";

const open = (app: App, section: string) => app.goTo(`/agents/helper/settings/${section}`);

/** A provider that knows one key, a catalogue and a registry's ping, on loopback. */
async function withServer(run: (url: string) => Promise<void>): Promise<void> {
  const server: Server = createServer((request, response) => {
    if (request.url === "/v1/chat/completions") {
      if (request.headers.authorization !== "Bearer right-key")
        return void response.writeHead(401, { "content-type": "application/json" }).end('{"error":{}}');
      response.writeHead(200, { "content-type": "text/event-stream" });
      const delta = { role: "assistant", content: "ok" };
      const chunk = { id: "1", object: "chat.completion.chunk", created: 1, model: "tiny" };
      response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta }] })}\n\n`);
      const end = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
      response.end(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
      return;
    }
    if (request.url === "/catalogue.json") return void response.end('{"plugins":[]}');
    if (request.url === "/-/ping") return void response.end("{}");
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test("a model is tried out before it is saved, and says what is wrong with it", async ({ app }) => {
  const { page } = app;
  await withServer(async (url) => {
    await open(app, "models");
    const model = page.getByRole("region", { name: "Model of Helper" });
    await expect(model.getByText("No model yet")).toBeVisible();
    await model.getByRole("button", { name: "Change the model of Helper" }).click();
    await model.getByLabel("Model", { exact: true }).selectOption("openai-compatible");
    await model.getByRole("button", { name: "Test the model of Helper" }).click();
    await expect(model.getByText("Fill this in.").first()).toBeVisible();
    await model.getByLabel("Address").fill(`${url}/v1`);
    await model.getByLabel("Model name").fill("tiny");
    await model.getByLabel(/^API key/).fill("wrong-key");
    await model.getByRole("button", { name: "Test the model of Helper" }).click();
    await expect(model.getByRole("alert")).toContainText("refused the key for tiny");
    await model.getByLabel(/^API key/).fill("right-key");
    await model.getByRole("button", { name: "Test the model of Helper" }).click();
    await expect(model.getByText(/^tiny answered in/)).toBeVisible();
    await model.getByRole("button", { name: "Save model" }).click();
    await expect(model.getByText(/^tiny ·/)).toBeVisible();
    await model.getByRole("button", { name: "Test the model of Helper" }).click();
    await expect(model.getByText(/^tiny answered in/)).toBeVisible();
  });
});

test("a secret is stored, replaced and deleted with its consequences named, and never shown", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.weather);
  await app.set("weather", { enabled: true, secrets: { apiKey: "first-value" } });
  await open(app, "secrets");
  const row = page.getByRole("listitem").filter({ hasText: "WEATHER_API_KEY" });
  await expect(row.getByRole("link", { name: "Weather (Helper)" })).toBeVisible();

  await page.getByRole("button", { name: "Add secret" }).click();
  const form = page.getByRole("form", { name: "Add secret" });
  await form.getByLabel("Name").fill("1BAD");
  await form.getByRole("button", { name: "Store" }).click();
  await expect(form.getByText(/^Letters, digits and underscores/)).toBeVisible();
  await form.getByLabel("Name").fill("OTHER_TOKEN");
  await form.getByLabel("Value").fill("a-secret-value");
  await form.getByRole("button", { name: "Store" }).click();
  await expect(page.getByText("OTHER_TOKEN")).toBeVisible();

  await row.getByRole("button", { name: /^Replace WEATHER/ }).click();
  await expect(
    row.getByText(/^(Replacing it restarts Weather \(Helper\)|Nothing that runs uses it)/),
  ).toBeVisible();
  await row.getByLabel(/^New value of/).fill("second-value");
  await row.getByRole("button", { name: "Replace", exact: true }).click();
  await expect(row.getByLabel(/^New value of/)).toHaveCount(0);
  await expect(row.getByText("changed just now")).toBeVisible();
  expect(await page.content()).not.toMatch(/first-value|second-value|a-secret-value/);

  await row.getByRole("button", { name: /^Delete WEATHER/ }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Weather stops for Helper and needs setup again.")).toBeVisible();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(row.getByRole("button", { name: /^Replace WEATHER/ })).toHaveCount(0);
  await expect(row.getByRole("button", { name: "Store WEATHER_API_KEY" })).toBeVisible();
});

test("sources are checked when asked, and what is wrong is said", async ({ app }) => {
  const { page } = app;
  await withServer(async (url) => {
    await open(app, "sources");
    await page.getByLabel("Address of a catalogue").fill("not an address");
    await page.getByRole("button", { name: "Add catalogue" }).click();
    await expect(page.getByText(/^This must be an address/)).toBeVisible();
    for (const name of ["catalogue.json", "missing.json"]) {
      await page.getByLabel("Address of a catalogue").fill(`${url}/${name}`);
      await page.getByRole("button", { name: "Add catalogue" }).click();
      await expect(page.getByText(`${url}/${name}`)).toBeVisible();
    }
    await page.getByRole("button", { name: `Check ${url}/catalogue.json` }).click();
    await expect(page.getByText(/^It answers and lists 0 plugins/)).toBeVisible();
    await page.getByRole("button", { name: `Check ${url}/missing.json` }).click();
    await expect(
      page.getByRole("paragraph").filter({ hasText: /has nothing at that address/ }),
    ).toBeVisible();
    await page.getByRole("button", { name: `Remove ${url}/missing.json` }).click();
    await expect(page.getByText(`${url}/missing.json`)).toHaveCount(0);

    await page.getByLabel("Address", { exact: true }).fill(url);
    await page.getByRole("button", { name: `Check ${url}`, exact: true }).click();
    await expect(page.getByText(/^It answers, in/)).toBeVisible();
    await page.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(async () => (await app.ask<{ registry: string }>("GET", "/settings")).registry)
      .toBe(url);
  });
});

test("limits are set in units a person thinks in", async ({ app }) => {
  const { page } = app;
  await open(app, "limits");
  const toolCall = page.getByLabel("One tool call");
  await toolCall.fill("0");
  await expect(page.getByText("At least 0.1 seconds.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save" })).toBeDisabled();
  await toolCall.fill("2.5");
  await page.getByLabel("Each plugin's process").fill("512");
  await page.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(async () => {
      const { limits, hostMemoryMb } = await app.ask<{ limits: { toolMs: number }; hostMemoryMb: number }>(
        "GET",
        "/settings",
      );
      return [limits.toolMs, hostMemoryMb];
    })
    .toEqual([2_500, 512]);
  await expect(toolCall).toHaveValue("2.5");
});

test("safe mode keeps every plugin off, says so everywhere, and is left by a button", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.careful);
  await app.set("careful", { enabled: true });
  await open(app, "safety");
  await page.getByRole("button", { name: "Switch to safe mode" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Switch to safe mode" }).click();
  await page.getByRole("link", { name: "Plugins" }).click();
  await expect(page.getByRole("heading", { name: "Plugins", exact: true })).toBeVisible();
  await expect(page.getByText("Safe mode: every plugin is off.")).toBeVisible();
  await expect(app.card("Careful").getByText("Off", { exact: true })).toBeVisible();
  await expect(app.card("Careful").getByRole("switch")).toBeChecked();
  await expect(app.card("Careful").getByText(/Safe mode keeps it off/)).toBeVisible();
  await page.getByRole("button", { name: "Leave safe mode" }).click();
  await expect(app.card("Careful").getByText("Running", { exact: true })).toBeVisible();
  await expect(page.getByText("Safe mode: every plugin is off.")).toHaveCount(0);
});

test("the plugin that causes a problem is found by halves, and every switch is as before", async ({
  app,
}) => {
  const { page } = app;
  for (const key of ["careful", "mailbox", "weather"] as const) {
    await app.install(pluginFolder[key]);
    await app.set(key, { enabled: true });
  }
  await open(app, "safety");
  await expect(page.getByText("3 plugins are switched on for Helper.")).toBeVisible();
  await page.getByRole("button", { name: "Begin the search" }).click();
  await expect(page.getByText("All plugins of Helper are off now. Try what went wrong.")).toBeVisible();
  await expect(page.getByText(/Looking for the plugin that causes a problem of Helper/)).toBeVisible();
  await page.getByRole("button", { name: "It is gone" }).click();
  for (let step = 2; step <= 4; step += 1) {
    await expect(
      page.getByText(new RegExp(`^Step ${step}`)).or(page.getByText(/causes the problem\.$/)),
    ).toBeVisible();
    const question = page.getByRole("region", { name: "Is the problem still there?" });
    if ((await question.count()) === 0) break;
    const mailboxIsOff = (await question.getByText("Mailbox").count()) > 0;
    await question.getByRole("button", { name: mailboxIsOff ? "It is gone" : "Still there" }).click();
  }
  await expect(page.getByText("Mailbox causes the problem.")).toBeVisible();
  await page.getByRole("button", { name: "Finish" }).click();
  await expect(page.getByRole("button", { name: "Begin the search" })).toBeEnabled();
  await page.getByRole("link", { name: "Plugins" }).click();
  for (const name of ["Careful", "Mailbox", "Weather"])
    await expect(app.card(name).getByRole("switch")).toBeChecked();
  await expect(app.card("Careful").getByText("Running", { exact: true })).toBeVisible();
});

test("About names the version, the folder and the licences", async ({ app }) => {
  const { page } = app;
  await open(app, "about");
  await expect(page.getByText(app.home)).toBeVisible();
  await expect(page.getByText("Patchbay is free software under the MIT licence.")).toBeVisible();
  await expect(page.getByText("react-router", { exact: true })).toBeVisible();
});

test("About says how much space is used, and how much of it by conversations, in both languages", async ({
  app,
}) => {
  const { page } = app;
  const agent = join(app.home, "agents", "helper");
  for (const [room, bytes] of [
    ["sessions", 4_100_000],
    ["workspace", 8_180_000],
  ] as const) {
    await mkdir(join(agent, room), { recursive: true });
    await writeFile(join(agent, room, "film.mp4"), Buffer.alloc(bytes));
  }
  await open(app, "about");
  await expect(page.getByText("Space used", { exact: true })).toBeVisible();
  await expect(page.getByText("12.3 MB, conversations 4.1 MB of it", { exact: true })).toBeVisible();
  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(page.getByText("Belegter Platz", { exact: true })).toBeVisible();
  await expect(page.getByText("12,3 MB, davon Unterhaltungen 4,1 MB", { exact: true })).toBeVisible();
});

test("the settings are used by keyboard alone, and what is typed but not saved outlives a look elsewhere", async ({
  app,
}) => {
  const { page } = app;
  const press = async (target: Locator, key = "Enter") => {
    await tabTo(page, target);
    await page.keyboard.press(key);
  };
  const section = (name: string) => page.getByRole("main").getByRole("link", { name, exact: true });
  await press(page.getByRole("link", { name: "Settings", exact: true }));
  await press(section("Limits"));
  const toolCall = page.getByLabel("One tool call");
  await expect(toolCall).toBeVisible();
  await press(toolCall, "ControlOrMeta+A");
  await page.keyboard.type("90");

  await press(section("Secrets"));
  await press(page.getByRole("button", { name: "Add secret" }));
  const form = page.getByRole("form", { name: "Add secret" });
  await expect(form.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("KEYBOARD_TOKEN");
  await press(section("Sources"));
  await tabTo(page, page.getByLabel("Address of a catalogue"));
  await page.keyboard.type("http://127.0.0.1:9/later.json");

  await press(section("Appearance"));
  await tabTo(page, page.getByRole("radio", { name: "As the system" }));
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");

  await press(section("Secrets"));
  await expect(form.getByLabel("Name")).toHaveValue("KEYBOARD_TOKEN");
  await tabTo(page, form.getByLabel("Value"));
  await page.keyboard.type("a-value");
  await page.keyboard.press("Enter");
  await expect(form).toBeHidden();
  await expect(page.getByText("KEYBOARD_TOKEN")).toBeVisible();

  await press(section("Sources"));
  await expect(page.getByLabel("Address of a catalogue")).toHaveValue("http://127.0.0.1:9/later.json");
  await press(page.getByRole("button", { name: "Add catalogue" }));
  await expect(page.getByRole("button", { name: "Remove http://127.0.0.1:9/later.json" })).toBeVisible();
  await expect(page.getByLabel("Address of a catalogue")).toHaveValue("");

  await press(section("Limits"));
  await expect(toolCall).toHaveValue("90");
  await press(page.getByRole("button", { name: "Save" }));
  const limits = async () => (await app.ask<{ limits: { toolMs: number } }>("GET", "/settings")).limits;
  await expect.poll(async () => (await limits()).toolMs).toBe(90_000);
  await expect(page.getByRole("button", { name: "Save" })).toBeDisabled();

  await press(section("When something is wrong"));
  await press(page.getByRole("button", { name: "Switch to safe mode" }));
  await press(page.getByRole("dialog").getByRole("button", { name: "Switch to safe mode" }));
  await press(page.getByRole("button", { name: "Leave safe mode" }).first());
  await expect(page.getByText("Safe mode: every plugin is off.")).toHaveCount(0);
});

test("axe finds nothing in any section of the settings, in light or in dark", async ({ app }) => {
  test.setTimeout(120_000);
  const { page } = app;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await app.install(pluginFolder.careful);
  await app.set("careful", { enabled: true });
  await app.ask("PUT", "/secrets/TOKEN", { value: "v" });
  await app.ask("PATCH", "/settings", { catalogUrls: ["http://127.0.0.1:9/catalogue.json"] });
  for (const [section, title] of [
    ["models", "Models"],
    ["secrets", "Secrets"],
    ["sources", "Sources"],
    ["python", "Python"],
    ["code", "Code"],
    ["limits", "Limits"],
    ["appearance", "Appearance"],
    ["keys", "Keys"],
    ["safety", "When something is wrong"],
    ["diagnostics", "Diagnostics"],
    ["about", "About"],
  ] as const) {
    await open(app, section);
    await expect(page.getByRole("heading", { name: title, exact: true })).toBeVisible();
    if (section === "models") await page.getByRole("button", { name: "Change the model of Helper" }).click();
    if (section === "secrets") await page.getByRole("button", { name: "Add secret" }).click();
    if (section === "diagnostics") {
      await page.getByRole("button", { name: "Gather", exact: true }).click();
      await expect(page.getByText("for somebody who helps")).toBeVisible();
    }
    if (section === "sources") {
      await page.getByRole("button", { name: "Check http://127.0.0.1:9/catalogue.json" }).click();
      await expect(page.getByRole("paragraph").filter({ hasText: /did not answer/ })).toBeVisible();
    }
    await expectNoViolationsInBoth(page, section);
    if (section === "safety") {
      await page.getByRole("button", { name: "Begin the search" }).click();
      await expect(page.getByText("Is the problem still there?")).toBeVisible();
      await expectNoViolationsInBoth(page, "search");
      await page.getByRole("button", { name: "Stop the search" }).click();
      await expect(page.getByRole("button", { name: "Begin the search" })).toBeEnabled();
    }
  }
});
