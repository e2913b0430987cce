import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Locator } from "@playwright/test";
import { type App, test as base, expect } from "../support/app.ts";
import { expectNoViolationsInBoth, tabTo } from "../support/axe.ts";
import { failingModel } from "../support/failing-model.ts";

const test = base.extend<{ site: string }>({
  /** A page on loopback for HTTP to read; the value is its host. */
  site: async ({ baseURL: _ }, use) => {
    const server: Server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.end("The harbour opens at nine.");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await use(`127.0.0.1:${(server.address() as AddressInfo).port}`);
    await new Promise((resolve) => server.close(resolve));
  },
});
test.use({ welcome: true });

/** How a person presses something. */
type Press = (app: App, target: Locator) => Promise<void>;
const byMouse: Press = async (_app, target) => target.click();
const byKeyboard: Press = async ({ page }, target) => {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
};

/** Installs HTTP and gives it its first host; the wizard's place is the welcome all the while. */
async function plugInHttp(app: App, site: string, press: Press): Promise<void> {
  const { page } = app;
  await press(app, page.getByRole("button", { name: "Install HTTP" }));
  await press(app, page.getByRole("button", { name: "Install and switch on" }));
  await expect(page.getByRole("heading", { name: "HTTP is patched into Helper" })).toBeVisible();
  // The page that it reads lies on this computer, which HTTP allows only when it is told to.
  await app.set("http", { config: { tools: { allowPrivate: true } } });
  await expect(page.getByText("No host is allowed yet: add one.")).toBeVisible();
  await expect(page.getByText("Needs setup", { exact: true })).toBeVisible();
  await expect(page.getByText("Running", { exact: true })).toHaveCount(0);
  const host = page.getByRole("textbox", { name: "Allowed hosts" });
  await (press === byMouse ? host.click() : tabTo(page, host));
  await page.keyboard.type(site);
  await press(app, page.getByRole("button", { name: "Add", exact: true }));
  await expect(page.getByText("Running", { exact: true })).toBeVisible();
}

for (const [hand, press] of [
  ["the mouse", byMouse],
  ["the keyboard", byKeyboard],
] as const) {
  test(`with a model that answers, the welcome ends on the agent's own call, by ${hand}`, async ({
    app,
    site,
  }) => {
    const { page } = app;
    await using model = await failingModel();
    await page.getByLabel("Model", { exact: true }).selectOption("openai-compatible");
    await page.getByLabel("Address", { exact: true }).fill(model.url);
    await page.getByLabel("Model name", { exact: true }).fill("m");

    model.answers = [
      { kind: "says", text: "ok" },
      { kind: "calls", tool: "http__http_get", input: { url: `http://${site}/` } },
      { kind: "says", text: "The harbour opens at nine, it says." },
    ];
    await press(app, page.getByRole("button", { name: "Use this model" }));
    await expect(page.getByRole("heading", { name: "Pick a first plugin" })).toBeVisible();
    await plugInHttp(app, site, press);

    const trial = page.getByRole("region", { name: "Try it" });
    await expect(trial.getByRole("textbox")).toHaveValue(`http://${site}/`);
    await press(app, trial.getByRole("button", { name: "Let Helper try it" }));
    await expect(trial.getByText("It works.")).toBeVisible();
    await expect(trial.getByText("The harbour opens at nine, it says.")).toBeVisible();
    await expectNoViolationsInBoth(page, `the end of the welcome by ${hand}`);
    await press(app, page.getByRole("button", { name: "Start working" }));
    await expect(page.getByRole("heading", { name: "Plugins", exact: true })).toBeVisible();
  });
}

test("without a model, the welcome ends on the call by itself", async ({ app, site }) => {
  const { page } = app;
  await page.getByRole("button", { name: "Skip for now" }).click();
  await plugInHttp(app, site, byMouse);
  const trial = page.getByRole("region", { name: "Try it" });
  await trial.getByRole("button", { name: "Try it" }).click();
  await expect(trial.getByText("It works.")).toBeVisible();
  await expect(trial.getByText(/The harbour opens at nine\.$/)).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "See it run" })).toContainText("now");
});
