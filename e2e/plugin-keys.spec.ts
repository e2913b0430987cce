import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type App, expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

const folder = join(pluginFolder.dirge, "..", "keys");

/** Copies of plugins of dirge, each linked and switched on. */
async function use(app: App, names: string[], edit = (source: string) => source): Promise<void> {
  for (const name of names) {
    const file = join(app.home, `${name}.janet`);
    await writeFile(file, edit(await readFile(join(folder, `${name}.janet`), "utf8")));
    const job = await app.ask<{ id: string }>("POST", "/jobs", { spec: file, link: true, yes: true });
    await expect
      .poll(async () => (await app.ask<{ status: string }>("GET", `/jobs/${job.id}`)).status)
      .toBe("done");
    await app.set(name, { enabled: true });
    await expect(app.card(name).getByText("Running", { exact: true })).toBeVisible();
  }
}

test("a plugin's key calls it from any screen, and its words stand in the conversation", async ({ app }) => {
  const { page } = app;
  await use(app, ["keys"]);
  await page.keyboard.press("Control+g");
  await expect(page.getByRole("status").getByText("hello from Ctrl-G")).toBeVisible();
  const panel = await app.openConversation();
  await expect(panel.getByRole("log").getByText("hello from Ctrl-G")).toBeVisible();
  await page.getByRole("textbox", { name: "Message to Helper" }).press("Control+g");
  await expect(panel.getByRole("log").getByText("hello from Ctrl-G")).toHaveCount(2);

  await page.keyboard.press("Alt+s");
  const question = panel.getByRole("form", { name: "Question of keys" });
  await expect(question.getByText("May I go on?")).toBeVisible();
  await page.keyboard.press("Alt+s");
  await expect(page.getByText("Alt+S: the call before it has not ended yet.")).toBeVisible();
  await question.getByRole("button", { name: "Yes" }).click();
  await expect(panel.getByRole("log").getByText("went on")).toBeVisible();
  await page.reload();
  await expect(panel.getByRole("log").getByText("went on")).toBeVisible();
});

test("of two plugins with one key the first keeps it; the person's own choice comes before both", async ({
  app,
}) => {
  const { page } = app;
  await use(app, ["keys", "more-keys"]);
  await app.openPlugin("more-keys", "Overview");
  await expect(page.getByText("Ctrl+G is already a key of keys.")).toBeVisible();
  await app.goTo("/agents/helper/plugins/keys/overview");
  await expect(page.getByText("Ctrl+C copies, and no plugin can have it.")).toBeVisible();
  await expect(
    page.getByText("Ctrl+O is for “external_editor”, and Patchbay has nothing of the kind."),
  ).toBeVisible();
  await app.goTo("/agents/helper/settings/keys");
  const keys = page.getByRole("region", { name: "Keys" });
  await expect(keys.getByText("Say hello")).toBeVisible();
  await expectNoViolationsInBoth(page, "keys of plugins");

  await page.getByRole("button", { name: "Change the key of: Go to Debug" }).click();
  await page.keyboard.press("Control+g");
  await expect(page.getByText("Until now it does something else: Say hello.")).toBeVisible();
  await page.getByRole("button", { name: "Use this key" }).click();
  await page.getByRole("button", { name: "Change the key of: Say nothing" }).click();
  await page.keyboard.press("F6");
  await page.getByRole("button", { name: "Use this key" }).click();
  // Until it is saved, the recorder shows the key as well.
  await expect(keys.getByRole("group", { name: "Press the key for: Say nothing" })).toBeHidden();
  await expect(keys.getByText("F6", { exact: true })).toBeVisible();
  await expect(
    keys.getByText("keys Ctrl+G does what you chose in Settings › Keys.", { exact: true }),
  ).toBeVisible();
  await page.keyboard.press("F6");
  await expect(page.getByRole("status").getByText("never")).toBeVisible();
  await page.keyboard.press("Control+g");
  await expect(page).toHaveURL(/\/debug$/);
});

test("a plugin binds keys that follow each other to a command of the app", async ({ app }) => {
  const { page } = app;
  await use(app, ["keys"]);
  await app.goTo("/agents/helper/conversation");
  const message = page.getByRole("textbox", { name: "Message to Helper" });
  await message.fill("world");
  await message.press("Control+e");
  await expect(page.getByText("Ctrl+E … and then?")).toBeVisible();
  await message.press("Control+e");
  await message.pressSequentially("hello ");
  await expect(message).toHaveValue("hello world");
});

test("a plugin's provider is chosen as a model; no key goes to its address without a word", async ({
  app,
}) => {
  const { page } = app;
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const chunk = { id: "1", object: "chat.completion.chunk", created: 1, model: "tiny" };
    const delta = { role: "assistant", content: "From the lab." };
    response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta }] })}\n\n`);
    const end = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
    response.end(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  try {
    await app.ask("PUT", "/secrets/LAB_KEY", { value: "of-something-else" });
    await use(app, ["keys"], (source) => source.replace(/\(or .*v1"\)/, `"${url}"`));
    await app.goTo("/agents/helper/settings/models");
    const model = page.getByRole("region", { name: "Model of Helper" });
    await model.getByRole("button", { name: "Change the model of Helper" }).click();
    await model.getByLabel("Model", { exact: true }).selectOption("via:lab");
    await expect(model.getByText(url, { exact: true })).toBeVisible();
    await expect(model.getByText("This address lies on this computer or in its network.")).toBeVisible();
    await expect(model.getByText(`Send the stored secret LAB_KEY to ${url}?`)).toBeVisible();
    await model.getByLabel("Model name").fill("lab/tiny");
    await model.getByRole("button", { name: "Save model" }).click();
    await expect(model.getByText("Fill this in.")).toBeVisible();
    await model.getByLabel(/^API key/).fill("for-the-lab");
    await model.getByRole("button", { name: "Save model" }).click();
    await expect(model.getByText(/^lab\/tiny ·/)).toBeVisible();
    await app.openConversation();
    await app.send("Hello");
    await expect(page.getByText("From the lab.")).toBeVisible();
    expect(new Set(keys)).toEqual(new Set(["Bearer for-the-lab"]));
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test("a command of a native plugin has a key, which the person can move", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.keyed);
  await app.set("keyed", { enabled: true });
  await expect(app.card("Keyed").getByText("Running", { exact: true })).toBeVisible();
  const panel = await app.openConversation();
  await page.keyboard.press("Control+Shift+f");
  await expect(panel.getByRole("log").getByText("Heads in a conversation")).toBeVisible();
  await app.ask("PATCH", "/settings", { keys: { "shortcut:keyed:ctrl-shift-f": "alt-f" } });
  await app.goTo("/agents/helper/settings/keys");
  await expect(page.getByText("Alt+F")).toBeVisible();
  await page.keyboard.press("Control+Shift+f");
  await page.keyboard.press("Alt+f");
  await expect(panel.getByRole("log").getByText("Heads in a conversation")).toHaveCount(2);
});
