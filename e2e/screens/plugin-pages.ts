import type { Page } from "@playwright/test";
import { ask } from "../support/core.ts";
import { placeholder } from "./furnish.ts";
import { goTo, type Shoot } from "./studio.ts";

/** A plugin's pages: one that runs, one that works, one that carries a channel, one in trouble, and its settings in every state. */
export async function takePluginPages(home: string, page: Page, shoot: Shoot): Promise<void> {
  const tab = (path: string) => goTo(page, `/agents/${path}`);
  const button = (name: string) => page.getByRole("button", { name, exact: true });

  await tab("helper/plugins/http/overview");
  await page.getByText("http.http_get").waitFor();
  await shoot("plugin");
  await tab("helper/plugins/http/settings");
  await button("Save settings").waitFor();
  await shoot("settings");
  await page.getByLabel("Time limit (seconds)").fill("45");
  await page.getByRole("switch", { name: "Allow private addresses" }).click();
  await page.getByText("What changes when you save").waitFor();
  await shoot("settings-changes");
  await page
    .getByRole("radio", { name: "JSON" })
    .or(page.getByRole("tab", { name: "JSON" }))
    .click();
  await page.locator(".cm-content").waitFor();
  await shoot("settings-json");
  await button("Discard changes").click();

  await tab("helper/plugins/http/permissions");
  await page.getByRole("tabpanel").getByRole("heading").first().waitFor();
  await shoot("permissions");

  await tab("research/plugins/weather/activity");
  await page.getByRole("heading", { name: "Log" }).waitFor();
  for (const place of ["Bern", "Lisbon", "Oslo", "Kyoto", "Quito", "Nairobi", "Bern", "Perth"])
    await ask(home, "POST", "/agents/research/tools/weather__forecast/call", {
      input: { place, days: 3 },
      yes: true,
    });
  await page.locator('[data-value="lastPlace"]').getByText("Perth").waitFor();
  await shoot("activity");
  await tab("research/plugins/weather/settings");
  await page.getByRole("textbox", { name: "Home" }).fill("Atlantis");
  await button("Save settings").click();
  await page.locator("#setting_home__error").getByText("no weather station").waitFor();
  await page.getByRole("tabpanel").evaluate((panel) => panel.scrollTo({ top: 0 }));
  await shoot("settings-refused");
  const good = { tools: { units: "metric", apiKey: placeholder("WEATHER_API_KEY") } };
  await ask(home, "PUT", "/agents/research/plugins/weather", { config: good });

  await tab("support/plugins/postbox/activity");
  await page.getByRole("row", { name: /grace/ }).waitFor();
  await button("Show what was said").click();
  await page.getByText("When will 0421 be here?").waitFor();
  await page.getByRole("tabpanel").evaluate((panel) => panel.scrollTo({ top: 0 }));
  await shoot("activity-channel");

  await tab("support/plugins/postbox/people");
  await page.getByRole("tabpanel").getByRole("heading").first().waitFor();
  await shoot("people");

  await tab("helper/plugins/mailbox/overview");
  await page.getByText("The mail server refused the password.").first().waitFor();
  await shoot("plugin-trouble");
  await tab("helper/plugins/mailbox/versions");
  await button("Uninstall").waitFor();
  await shoot("versions");
  await button("Uninstall").click();
  await page.getByRole("dialog", { name: "Uninstall Mailbox?" }).waitFor();
  await shoot("uninstall", "small");
  await page.keyboard.press("Escape");
  await tab("helper/plugins");
  await page.getByRole("heading", { name: "Plugins", exact: true }).waitFor();
}
