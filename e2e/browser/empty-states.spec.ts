import { expect, pluginFolder, test } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";

test.describe.configure({ timeout: 120_000 });

test("where nothing is, each page says so in the same way: a title, a sentence and the next step", async ({
  app,
}) => {
  const { page } = app;
  /** One empty place as it is drawn, by its title. */
  const shows = async (title: string | RegExp, text: string | RegExp, action?: string) => {
    const empty = page.locator("[data-empty]").filter({ hasText: title });
    await expect(empty).toHaveCount(1);
    await expect(empty.locator("> svg")).toBeVisible();
    await expect(empty).toContainText(text);
    if (action !== undefined) await expect(empty.getByRole("button", { name: action })).toBeVisible();
    else await expect(empty.getByRole("button")).toHaveCount(0);
    return empty;
  };

  await shows("Helper has no plugins yet", /A plugin gives an agent tools/, "Add plugin");
  await expectNoViolationsInBoth(page, "a home without plugins");
  await app.install(pluginFolder.weather);
  await page.getByRole("searchbox", { name: "Find a plugin" }).fill("nothing-of-that-name");
  const nothing = await shows("No plugin fits these filters", "Fewer words", "Show all plugins");
  await nothing.getByRole("button").click();
  await expect(app.card("Weather")).toBeVisible();

  await app.goTo("/agents/helper/approvals");
  await shows("Nothing waits for you", "need your consent");
  await shows("Nothing was decided yet", "permissions");
  await expectNoViolationsInBoth(page, "approvals without any");

  await app.goTo("/agents/helper/tools");
  await page.getByRole("searchbox").fill("nothing-of-that-name");
  const tools = await shows("No tool fits", "Fewer words", "Show everything");
  await tools.getByRole("button").click();
  await expect(tools).toHaveCount(0);

  await app.goTo("/agents/helper/plugins/weather/versions");
  await shows("No other version is kept", "go back");
  await app.set("weather", { enabled: false });
  await app.goTo("/agents/helper/plugins/weather/activity");
  await shows("No error in the log", "counted here");
  await shows("Nothing has been written yet", "appears here");
  await expectNoViolationsInBoth(page, "an activity without any");

  await app.goTo("/agents/helper/plugins/no-such-plugin");
  await expect(page.locator("[data-empty]").getByRole("heading", { level: 1 })).toHaveText(
    "There is no plugin of this name",
  );
  await app.goTo("/agents/helper/conversation");
  await shows("Helper has no model yet", "Commands work", "Choose a model");
  await page.getByRole("searchbox", { name: /conversation/i }).fill("nothing");
  await shows("No conversation has “nothing”", "Fewer words", "Show everything");
  await app.goTo("/agents/nobody/plugins");
  await shows("There is no agent “nobody”", "removed", "Show my plugins");
});
