import { expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

test("the palette reaches screens, plugins, agents and actions by keyboard, and remembers", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.careful);
  await expect(app.card("Careful")).toBeVisible();
  const palette = page.getByRole("dialog", { name: "Go to or do anything" });
  const run = async (text: string) => {
    await page.keyboard.press("Control+k");
    await expect(palette).toBeVisible();
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
    await expect(palette).toBeHidden();
  };
  await run("switch careful on");
  await expect(app.card("Careful").getByText("Running", { exact: true })).toBeVisible();
  await run("careful activity");
  await expect(page.getByRole("tab", { name: "Activity", selected: true })).toBeVisible();
  await run("settings secrets");
  await expect(page.getByRole("heading", { name: "Secrets", exact: true })).toBeVisible();
  await run("agent helper");
  await expect(page.getByRole("heading", { name: "Plugins", exact: true })).toBeVisible();
  await run("appearance dark");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await run("blocks destructive guard");
  await expect(page.getByRole("heading", { name: "Guard", exact: true })).toBeVisible();
  await run("matrix");
  await expect(page.getByRole("grid")).toBeVisible();
  await run("add plugin");
  await expect(page.getByRole("dialog", { name: "Add plugin" })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+k");
  const options = palette.getByRole("option");
  await expect(options.first()).toContainText("Add plugin");
  await expect(options.first()).toContainText("Recent");
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await expect(options.nth(1)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.type("no such thing at all");
  await expect(palette.getByText("Nothing fits “no such thing at all”.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
});

test("an action that fails says so in the palette and keeps it open", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.careful);
  await app.set("careful", { enabled: true });
  await expect(app.card("Careful").getByText("Running", { exact: true })).toBeVisible();
  await app.ask("POST", "/holds/safe-mode/enter");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("restart careful");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("Safe mode keeps it off.");
});

test("links lead to their screens, and those that lead nowhere are answered in words", async ({ app }) => {
  const { page } = app;
  await app.install(pluginFolder.careful);
  const follow = async (link: string) => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(link);
    await page.keyboard.press("Enter");
  };
  await follow("patchbay://agents/helper/plugins/careful/versions");
  await expect(page.getByRole("tab", { name: "Versions", selected: true })).toBeVisible();
  await follow("patchbay://agents/helper/settings/limits");
  await expect(page.getByRole("heading", { name: "Limits", exact: true })).toBeVisible();
  await follow("patchbay://agents/helper/discover/builtin:guard");
  await expect(page.getByRole("heading", { name: "Guard", exact: true })).toBeVisible();
  await follow("patchbay://agents/helper/matrix");
  await expect(page.getByRole("grid")).toBeVisible();
  await follow("patchbay://install?spec=left-pad");
  await expect(page.getByRole("heading", { name: "This link leads nowhere" })).toBeVisible();
  await expect(page.getByText("patchbay://install?spec=left-pad")).toBeVisible();
  await page.getByRole("button", { name: "Show my plugins" }).click();
  await expect(page.getByRole("heading", { name: "Plugins", exact: true })).toBeVisible();
  await app.goTo("/agents/nobody/plugins");
  await expect(page.getByRole("heading", { name: "There is no agent “nobody”" })).toBeVisible();
  await app.goTo("/agents/helper/settings/passwords");
  await expect(page.getByRole("heading", { name: "This link leads nowhere" })).toBeVisible();
});

test("axe finds nothing on the palette and on a link that leads nowhere, in light or in dark", async ({
  app,
}) => {
  const { page } = app;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("option").first()).toBeVisible();
  await expectNoViolationsInBoth(page, "palette");
  await page.keyboard.press("Escape");
  await app.goTo("/nowhere");
  await expect(page.getByRole("heading", { name: "This link leads nowhere" })).toBeVisible();
  await expectNoViolationsInBoth(page, "a link that leads nowhere");
});
