import { join } from "node:path";
import { writePlugin } from "../../test/support/fixture-plugin.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";
import { expect, test } from "../support/served.ts";

test.use({ viewport: { width: 1280, height: 800 } });

test("a plugin that has secrets alone shows no empty box, and a dialog's problem stays above its buttons", async ({
  page,
  app,
  home,
  serve,
}) => {
  const core = await serve();
  await core.openIn(page);
  await app.closeWelcome();
  const spec = await writePlugin(join(home, "keys"), {
    key: "keys",
    manifest: {
      displayName: "Keys",
      secretKeys: [{ key: "TOKEN", label: "Token", optional: true }],
      defaultConfig: { tools: { token: "${TOKEN}" } },
    },
  });
  const job = await app.ask<{ id: string }>("POST", "/jobs", { spec, yes: true });
  const status = async () => (await app.ask<{ status: string }>("GET", `/jobs/${job.id}`)).status;
  await expect.poll(status).toBe("done");
  await app.set("keys", { enabled: true, secrets: { TOKEN: "abc" } });
  await app.openPlugin("Keys", "Settings");
  await expect(page.getByText("This plugin has nothing else to set.")).toBeVisible();
  await expect(page.locator("form")).toBeHidden();
  await expectNoViolationsInBoth(page, "secrets-alone");

  await page
    .getByRole("button", { name: /Helper/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: /Edit/ }).first().click();
  const dialog = page.getByRole("dialog", { name: "Edit Helper" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Other");
  await core.stop();
  await dialog.getByRole("button", { name: "Save agent" }).click();
  const problem = dialog.getByRole("alert").last();
  await expect(problem.getByText("Technical details")).toBeVisible();
  const [shown, button] = await Promise.all([
    problem.boundingBox(),
    dialog.getByRole("button", { name: "Save agent" }).boundingBox(),
  ]);
  expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThan(button?.y ?? 0);
});

test("a page is named by its browser in the language of the screen", async ({ page, app, serve }) => {
  await (await serve()).openIn(page);
  await app.closeWelcome();
  await app.ask("PATCH", "/settings", { language: "de" });
  await app.goTo("/agents/helper/settings/safety");
  await expect(page.getByText(/^\S+ unter Linux$/).first()).toBeVisible();
  await app.ask("PATCH", "/settings", { language: "en" });
});
