import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import { Vault } from "../../src/main/secrets/index.ts";
import { openFileStorage } from "../../src/main/store/index.ts";
import { App, pluginFolder } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";
import { ServedCore } from "../support/core.ts";

const test = base.extend<{ home: string }>({
  home: async ({ baseURL: _ }, use) => {
    const home = await mkdtemp(join(tmpdir(), "patchbay-vault-"));
    await use(home);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  },
});

const passphrase = "four little words here";

test("secrets under a passphrase: set, asked for at the start, backed up, cut in half, put aside and restored", async ({
  page,
  home,
}) => {
  test.setTimeout(120_000);
  let core = await ServedCore.start(home);
  const app = new App(page, home);
  const block = page
    .getByRole("region", { name: "How they are kept" })
    .or(page.locator("section").filter({ has: page.getByRole("heading", { name: "How they are kept" }) }));
  try {
    await core.openIn(page);
    await app.closeWelcome();
    await app.install(pluginFolder.weather);
    await app.set("weather", { enabled: true, secrets: { apiKey: "the-weather-key" } });
    await app.goTo("/agents/helper/settings/secrets");
    await expect(block.getByText(/no keychain that Patchbay can use/)).toBeVisible();

    await test.step("a passphrase is set, alone", async () => {
      await block.getByRole("button", { name: "Set a passphrase" }).click();
      await block.getByLabel("Passphrase", { exact: true }).fill("short");
      await block.getByRole("button", { name: "Set a passphrase" }).click();
      await expect(block.getByText("At least 8 characters.", { exact: true })).toBeVisible();
      await block.getByLabel("Passphrase", { exact: true }).fill(passphrase);
      await block.getByLabel("The same once more").fill("four little words hear");
      await block.getByRole("button", { name: "Set a passphrase" }).click();
      await expect(block.getByText("The two are not the same.")).toBeVisible();
      await block.getByLabel("The same once more").fill(passphrase);
      await expect(block.getByText(/^Without this, the passphrase is only a second way in/)).toBeVisible();
      await block.getByRole("checkbox", { name: /^Ask for it at each start/ }).check();
      await expectNoViolationsInBoth(page, "passphrase");
      await block.getByRole("button", { name: "Set a passphrase" }).click();
      await expect(block.getByText("The passphrase is set.")).toBeVisible();
      await expect(block.getByText(/^Sealed with your passphrase alone/)).toBeVisible();
      expect(await readdir(home)).not.toContain("vault.key");
    });

    const backup = await test.step("all secrets are backed up", async () => {
      await block.getByRole("button", { name: "Back up" }).click();
      await block.getByLabel("Passphrase", { exact: true }).fill("the words of the backup");
      await block.getByLabel("The same once more").fill("the words of the backup");
      const downloading = page.waitForEvent("download");
      await block.getByRole("button", { name: "Make backup" }).click();
      const path = await (await downloading).path();
      expect(await readFile(path, "utf8")).not.toContain("the-weather-key");
      await expect(block.getByText(/handed to your browser/)).toBeVisible();
      return path;
    });

    await test.step("the next start asks for it", async () => {
      await core.stop();
      core = await ServedCore.start(home);
      await core.openIn(page);
      await expect(page.getByRole("heading", { name: "Your secrets are locked" })).toBeVisible();
      await expectNoViolationsInBoth(page, "locked");
      await page.getByRole("button", { name: "Go on without them" }).click();
      await expect(page.getByText("The stored secrets are locked.")).toBeVisible();
      await expect(app.card("Weather").getByText("Waits for the vault", { exact: true })).toBeVisible();
      await expect(app.card("Weather").getByText("Needs setup", { exact: true })).toHaveCount(0);
      await app.card("Weather").getByRole("button", { name: "Unlock" }).click();
      await page.getByLabel("Passphrase").fill("four other words here");
      await page.getByRole("button", { name: "Unlock" }).click();
      await expect(page.getByRole("alert")).toContainText("not the passphrase");
      await page.getByLabel("Passphrase").fill(passphrase);
      await page.keyboard.press("Enter");
      await expect(page.getByRole("heading", { name: "Plugins", exact: true })).toBeVisible();
      await expect(app.card("Weather").getByText("Waits for the vault", { exact: true })).toHaveCount(0);
    });

    await test.step("a vault of another user says so, and what cannot be set up without it does at once", async () => {
      await core.stop();
      const own = await readFile(join(home, "vault.json"));
      const elsewhere = await mkdtemp(join(tmpdir(), "patchbay-vault-"));
      const foreign = await Vault.open({
        storage: openFileStorage({ home: elsewhere, onNotice() {} }),
        onNotice() {},
      });
      await foreign.set("TOKEN", null, "the-token-of-somebody-else");
      await foreign.close();
      await copyFile(join(elsewhere, "vault.json"), join(home, "vault.json"));
      await rm(elsewhere, { recursive: true });
      await writeFile(join(home, "vault.key"), Buffer.alloc(32, 7).toString("base64"));
      core = await ServedCore.start(home);
      await core.openIn(page);
      await expect(page.getByRole("heading", { name: "The stored secrets cannot be opened" })).toBeVisible();
      const why = "The key file vault.key does not belong to these secrets.";
      await expect(page.getByText(why).first()).toBeVisible();
      await page.getByRole("button", { name: "Go on without them" }).click();
      await page.keyboard.press("Control+k");
      await page.keyboard.type("set up weather");
      await page.keyboard.press("Enter");
      const setup = page.locator("[data-setup=error]");
      await expect(setup.getByRole("heading", { name: "The setup of Weather did not work" })).toBeFocused();
      await expect(setup.getByRole("alert")).toContainText(why);
      await page.keyboard.press("Escape");
      await expect(setup).toBeHidden();
      await core.stop();
      await writeFile(join(home, "vault.json"), own);
      await rm(join(home, "vault.key"));
    });

    await test.step("a vault that is cut in half says so, and nothing is lost", async () => {
      await core.stop();
      const half = (await readFile(join(home, "vault.json"), "utf8")).slice(0, 120);
      for (const name of await readdir(home)) if (name.startsWith("vault.json.")) await rm(join(home, name));
      await writeFile(join(home, "vault.json"), half);
      core = await ServedCore.start(home);
      await core.openIn(page);
      await expect(page.getByRole("heading", { name: "The stored secrets cannot be opened" })).toBeVisible();
      await expect(page.getByText(/vault\.json is damaged/).first()).toBeVisible();
      await expectNoViolationsInBoth(page, "closed");
      expect(await readFile(join(home, "vault.json"), "utf8")).toBe(half);
      await page.getByRole("button", { name: "Begin with an empty vault" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Begin with an empty vault" }).click();
      await expect(page.getByRole("heading", { name: "Plugins", exact: true })).toBeVisible();
      const aside = (await readdir(home)).find((name) => name.startsWith("vault-set-aside-")) ?? "";
      expect(await readFile(join(home, aside, "vault.json"), "utf8")).toBe(half);
    });

    await test.step("what is missing is named, and the backup brings it back", async () => {
      await app.goTo("/agents/helper/settings/secrets");
      const missing = page.getByRole("region", { name: "Needed, but not stored" });
      await expect(missing.getByText("WEATHER_API_KEY")).toBeVisible();
      await block.getByRole("button", { name: "Import" }).click();
      await block.getByLabel("Names and values").fill("# from the old program\nOLD_TOKEN='abc def'\n");
      await block.getByRole("button", { name: "Import" }).click();
      await expect(block.getByText("One secret is stored: OLD_TOKEN")).toBeVisible();
      await block.getByRole("button", { name: "Restore" }).click();
      await block.getByLabel("Backup file").setInputFiles(backup);
      await block.getByLabel("Passphrase", { exact: true }).fill("not the words of it");
      await expectNoViolationsInBoth(page, "restore");
      await block.getByRole("button", { name: "Restore" }).click();
      await expect(block.getByRole("alert")).toBeVisible();
      await block.getByLabel("Passphrase", { exact: true }).fill("the words of the backup");
      await block.getByRole("button", { name: "Restore" }).click();
      await expect(block.getByText("One secret is stored: WEATHER_API_KEY")).toBeVisible();
      await expect(missing).toHaveCount(0);
    });
    expect(await page.content()).not.toMatch(/the-weather-key|abc def/);
  } finally {
    await core.stop();
  }
});
