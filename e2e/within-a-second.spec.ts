import type { AgentPluginView } from "../src/contract/index.ts";
import { type App, expect, pluginFolder, test } from "./support/app.ts";
import { withinASecond } from "./support/second.ts";

const hostOf = async (app: App, key: string) =>
  (await app.ask<AgentPluginView>("GET", `/agents/helper/plugins/${key}`)).instance.pid ?? 0;

test("a killed host, a missing secret and a refused setting are said within a second, each at its own plugin", async ({
  app,
}) => {
  const { page } = app;
  for (const key of ["mailbox", "weather", "careful"] as const) await app.install(pluginFolder[key]);
  await app.set("mailbox", { enabled: true });
  await app.set("careful", { enabled: true });
  const [mailbox, weather, careful] = ["Mailbox", "Weather", "Careful"].map((name) => app.card(name));
  if (!mailbox || !weather || !careful) throw new Error("There are three cards.");
  await expect(mailbox.getByText("Running", { exact: true })).toBeVisible();
  await expect(careful.getByText("Running", { exact: true })).toBeVisible();

  await test.step("a killed host", async () => {
    process.kill(await hostOf(app, "mailbox"), "SIGKILL");
    await withinASecond((limit) =>
      expect(mailbox).toContainText(
        /process was killed, but not by Patchbay.*It starts again by itself\..*Has a problem/s,
        limit,
      ),
    );
    await expect(careful.getByText("Running", { exact: true })).toBeVisible();
    await expect(mailbox.getByText("Running", { exact: true })).toBeVisible();
  });

  await test.step("a missing secret", async () => {
    await app.set("weather", { enabled: true });
    await withinASecond((limit) =>
      expect(weather).toContainText(/API key is missing\..*Set up.*Needs setup/s, limit),
    );
    await expect(weather.getByRole("button", { name: "Set up" })).toBeVisible();
    await expect(careful.getByText("Running", { exact: true })).toBeVisible();
  });

  await test.step("a refused setting", async () => {
    await app.openPlugin("Weather", "Settings");
    await page.getByLabel("API key").fill("key-of-the-spec");
    await page.getByRole("textbox", { name: "Home" }).fill("Atlantis");
    await page.getByRole("button", { name: "Save settings" }).click();
    await withinASecond((limit) =>
      expect(page.locator("#setting_home__error")).toContainText("Atlantis has no weather station", limit),
    );
    await page.getByRole("textbox", { name: "Home" }).fill("Bern");
    await page.getByRole("button", { name: "Save settings" }).click();
    await expect(page.getByText("Running", { exact: true }).first()).toBeVisible();
  });
});
