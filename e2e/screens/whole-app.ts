import type { Page } from "@playwright/test";
import { ask } from "../support/core.ts";
import { goTo, type Shoot } from "./studio.ts";

const sections = [
  "models",
  "secrets",
  "sources",
  "python",
  "code",
  "limits",
  "appearance",
  "keys",
  "safety",
  "diagnostics",
  "about",
] as const;

/** The screens of the whole app: what waits and was decided, agents, the settings, the palette, and a screen in German. */
export async function takeWholeApp(home: string, page: Page, shoot: Shoot): Promise<void> {
  await takeApprovals(home, page, shoot);
  await goTo(page, "/agents/helper/tools");
  await page.getByRole("region", { name: "Built in" }).waitFor();
  await shoot("tools");
  await takeAgents(page, shoot);
  for (const section of sections) {
    await goTo(page, `/agents/helper/settings/${section}`);
    await page.locator("#settings-section").waitFor();
    if (section === "diagnostics") {
      await page.getByRole("button", { name: "Gather", exact: true }).click();
      await page.getByRole("button", { name: /^instances\.json/ }).click();
      await page.getByText('"pluginKey": "careful"').first().waitFor();
    }
    await shoot(`settings-${section}`);
  }
  await goTo(page, "/agents/helper/plugins");
  await page.getByText("Failed to start").waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("weather");
  await page.getByRole("option", { name: /^Set up Weather/ }).waitFor();
  await shoot("palette");
  await page.keyboard.press("Escape");
  await ask(home, "PATCH", "/settings", { language: "de" });
  await page.getByText("Start fehlgeschlagen").waitFor();
  await shoot("home-german");
  await ask(home, "PATCH", "/settings", { language: "system" });
  await page.getByText("Failed to start").waitFor();
}

async function takeApprovals(home: string, page: Page, shoot: Shoot): Promise<void> {
  const call = ask(home, "POST", "/agents/support/tools/shell/call", {
    input: { command: "ls -R parcels | wc -l" },
  }).catch(() => undefined);
  await goTo(page, "/agents/helper/approvals");
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  await page.locator("summary", { hasText: "Denied" }).first().click();
  await shoot("approvals");
  await page.getByRole("button", { name: "Allow once" }).click();
  await call;
}

async function takeAgents(page: Page, shoot: Shoot): Promise<void> {
  const agents = page.getByRole("button", { name: /^Agent: Helper/ });
  const item = (name: string) => page.getByRole("menuitem", { name });
  const dialog = page.getByRole("dialog");
  await goTo(page, "/agents/helper/plugins");
  await agents.click();
  await item("Create agent").waitFor();
  await shoot("agents", "small");
  await item("Create agent").click();
  await dialog.getByLabel("Name").fill("Release notes");
  await dialog.getByLabel("Model", { exact: true }).selectOption("anthropic");
  await shoot("agent-create", "small");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Throw away" }).click();
  await dialog.waitFor({ state: "hidden" });
  await agents.click();
  await item("Edit Helper").click();
  await dialog.waitFor();
  await shoot("agent-edit", "small");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
}
