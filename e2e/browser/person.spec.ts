import { expectNoViolationsInBoth } from "../support/axe.ts";
import { expect, test } from "../support/served.ts";

test("a passphrase is set by the person alone: a wrong code is refused, the terminal's code is taken", async ({
  page,
  app,
  serveOpen,
}) => {
  const core = await serveOpen();
  await page.removeLocatorHandler(page.getByRole("dialog", { name: /^(Is it you\?|Sind Sie es\?)$/ }));
  await app.goTo("/agents/helper/settings/secrets");
  const dialog = page.getByRole("dialog", { name: "Is it you?" });
  const change = async () => {
    await page.getByRole("button", { name: "Set a passphrase" }).first().click();
    await page.getByLabel("Passphrase", { exact: true }).fill("four little words here");
    await page.getByLabel("The same once more").fill("four little words here");
    await page.getByRole("button", { name: "Set a passphrase" }).last().click();
  };
  await app.ask("PUT", "/secrets/KEY", { name: "KEY", value: "value" });
  const before = core.codes.count;
  await change();
  await expect(dialog.getByText("The passphrase of the secrets is to be changed.")).toBeVisible();
  await dialog.getByLabel("Code").fill("000 00x");
  await dialog.getByRole("button", { name: "It is me" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByLabel("Code").fill(await core.codes.after(before));
  await dialog.getByRole("button", { name: "It is me" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("The passphrase is set.")).toBeVisible();
});

test("a page is shown among those that may use Patchbay, and another one ends it", async ({
  page,
  context,
  app,
  serveOpen,
}) => {
  const core = await serveOpen();
  const other = await context.newPage();
  await core.openIn(other, await core.nextLink());
  await expect(other.getByRole("heading", { name: "Plugins", exact: true })).toBeVisible();
  await app.goTo("/agents/helper/settings/safety");
  const block = page.locator("section").filter({ hasText: "Pages that may use Patchbay" }).last();
  await expect(block.getByText("This page")).toBeVisible();
  await expectNoViolationsInBoth(page, "the pages that may use Patchbay");
  await block.getByRole("button", { name: "End" }).click();
  await expect(block.getByRole("button", { name: "End" })).toHaveCount(0);
  await expect(other.locator("[data-connection]")).toHaveAttribute("data-connection", "refused");
  await expect(page.locator("[data-connection]")).toHaveAttribute("data-connection", "live");
});
