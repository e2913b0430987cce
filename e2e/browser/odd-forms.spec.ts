import { expect, pluginFolder, test } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";

const path = "/agents/helper/plugins/odd";

test("settings of odd kinds are asked for in words, and nothing is written that nobody chose", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.odd);
  await app.openPlugin("Odd forms", "Settings");
  const bar = page.getByRole("region", { name: "Save", exact: true });
  const save = page.getByRole("button", { name: "Save settings" });
  const tools = async () =>
    (await app.ask<{ config: { tools?: Record<string, unknown> } }>("GET", path)).config.tools;

  await test.step("limits and forms are said before anything is typed", async () => {
    await expect(page.getByText("From 1 to 65535.")).toBeVisible();
    await expect(page.getByText("2 to 20 characters.")).toBeVisible();
    await expect(page.getByText("Only small letters, digits, -.")).toBeVisible();
    await expect(page.getByText("For example AB-123")).toBeVisible();
    await expect(page.getByText(/undefined/)).toHaveCount(0);
  });

  await test.step("what is wrong is said in words", async () => {
    await page.getByRole("textbox", { name: "Code" }).fill("nonsense");
    await page.getByRole("textbox", { name: "Name required", exact: true }).fill("Bo");
    await expect(page.locator("#setting_code__error")).toHaveText(
      "This does not have the form that is wanted. For example AB-123",
    );
    await expect(page.getByText("[A-Z]", { exact: false })).toHaveCount(0);
    await page.getByRole("textbox", { name: "Code" }).fill("AB-123");
    await bar.getByRole("button", { name: "Colour is missing" }).click();
    await expect(page.getByRole("combobox", { name: "Colour" })).toBeFocused();
    await page.getByRole("combobox", { name: "Colour" }).selectOption({ label: "Green" });
  });

  await test.step("days are ticked, an added word has the focus", async () => {
    await page.getByRole("checkbox", { name: "Friday" }).check();
    await page.getByRole("checkbox", { name: "Monday" }).check();
    const words = page.getByRole("group", { name: "Words" });
    await words.getByRole("button", { name: "Add", exact: true }).click();
    await page.keyboard.type("first");
    await expect(words.getByRole("textbox", { name: "Entry 1" })).toHaveValue("first");
  });

  await test.step("the choice that is not needed does not stand in the way", async () => {
    await save.click();
    await expect(page.getByText("Saved and in use.").or(page.getByText("As saved."))).toBeVisible();
    expect(await tools()).toEqual({
      name: "Bo",
      colour: "green",
      code: "AB-123",
      days: ["Monday", "Friday"],
      nickname: null,
      words: ["first"],
      version: 3,
    });
  });

  await expectNoViolationsInBoth(page, "odd forms");
  if (process.env.PATCHBAY_LOOK)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width: 1100, height: 2600 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${process.env.PATCHBAY_LOOK}/odd-${colorScheme}.png` });
    }
});
