import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, pluginFolder, test } from "../support/app.ts";
import { drop } from "../support/drop.ts";

test("what the screens say of versions, refusals and crashes is true", async ({ app }) => {
  test.setTimeout(60_000);
  const { page } = app;
  const dialog = page.getByRole("dialog");
  const close = () => dialog.getByRole("button", { name: "Close" }).first().click();
  const folder = join(app.home, "mailbox");
  await cp(pluginFolder.mailbox, folder, { recursive: true });
  await app.install(folder);
  await app.set("mailbox", { enabled: true });

  await test.step("after an update it is said to run, and is drawn so", async () => {
    await setVersion(folder, "1.1.0");
    await app.openPlugin("Mailbox", "Versions");
    await page.getByRole("button", { name: "Look for an update" }).click();
    await dialog.getByRole("button", { name: "Update", exact: true }).click();
    await expect(dialog.getByRole("heading", { name: "Mailbox is up to date" })).toBeVisible();
    await expect(
      dialog.getByText("It stays switched on for Helper, and runs in this version from now on."),
    ).toBeVisible();
    await expect(dialog.getByText(/does nothing until/)).toHaveCount(0);
    await expect(dialog.locator('[data-cable="running"]')).toHaveCount(1);
    await close();
    await expect(page.getByText(/^1\.0\.0installed .*earlier$/)).toBeVisible();
  });

  await test.step("after a roll back the newer version is not said to be an earlier one", async () => {
    await page.getByRole("button", { name: "Roll back to 1.0.0" }).click();
    await dialog.getByRole("button", { name: "Roll back" }).click();
    await expect(dialog.getByRole("heading", { name: "Mailbox is rolled back" })).toBeVisible();
    await expect(dialog.getByText(/does nothing until/)).toHaveCount(0);
    await close();
    await expect(page.getByText(/^1\.1\.0installed .*newer$/)).toBeVisible();
    await expect(page.getByText(/^1\.0\.0installed .*in use$/)).toBeVisible();
    await expect(page.getByRole("button", { name: "Use 1.1.0 again" })).toBeVisible();
  });

  await test.step("a refused consent is no failure", async () => {
    await page.getByRole("button", { name: "Use 1.1.0 again" }).click();
    await dialog.getByRole("button", { name: "Keep the present one" }).click();
    await expect(dialog.getByText("You said no, so nothing was changed.")).toBeVisible();
    await expect(dialog.locator('[data-phase="consent"]')).toHaveAttribute("data-status", "skipped");
    await expect(dialog.locator('[data-status="failed"]')).toHaveCount(0);
    await close();
  });

  await test.step("a plugin that is not started any more does not say that it starts by itself", async () => {
    await app.set("mailbox", { config: { channel: { trouble: "crashes" } } });
    await expect(page.getByText("Stopped after repeated crashes").first()).toBeVisible({ timeout: 30_000 });
    await page.getByRole("tab", { name: "Activity" }).click();
    await expect(page.getByRole("alert").getByText("Look at its log, then start it again.")).toBeVisible();
    await expect(page.getByText(/started again by itself\. Look/)).toHaveCount(0);
  });

  await test.step("the page of an uninstalled plugin and that of an unknown one say which of the two it is", async () => {
    await app.ask("DELETE", "/plugins/mailbox");
    await expect(page.getByText(/^It was uninstalled\. Its settings for Helper are kept/)).toBeVisible();
    await expect(page.getByRole("button", { name: "Install again" }).first()).toBeVisible();
    await app.goTo("/agents/helper/plugins/mailbux");
    await expect(page.getByRole("heading", { name: "There is no plugin of this name" })).toBeVisible();
    await expect(page.getByText(/“mailbux”/)).toBeVisible();
  });
});

test("what was dropped as a file is updated by dropping a newer one", async ({ app }) => {
  const { page } = app;
  const dialog = page.getByRole("dialog");
  const install = async (version: string) => {
    await drop(page, { file: { name: `weather-${version}.tgz`, bytes: await packed(version) } });
  };
  await install("1.0.0");
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "Weather is installed" })).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await app.openPlugin("Weather", "Versions");
  await expect(
    page.getByText(/^It came as the file weather-1\.0\.0\.tgz, which was dropped here\./),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Look for an update" })).toHaveCount(0);
  const refusal = await app.ask("POST", "/plugins/weather/update", {}).catch((error: Error) => error.message);
  expect(refusal).toContain("Drop a newer file of it on the window.");

  await install("1.1.0");
  await dialog.getByRole("button", { name: "Update", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "Weather is installed" })).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await expect(page.getByText(/^1\.1\.0installed .*in use$/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Roll back to 1.0.0" })).toBeVisible();
});

async function setVersion(folder: string, version: string): Promise<void> {
  const file = join(folder, "package.json");
  const before: object = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...before, version }));
}

/** A package file of the weather plugin in this version, as `npm pack` makes it. */
async function packed(version: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "patchbay-pack-"));
  try {
    await cp(pluginFolder.weather, join(folder, "package"), { recursive: true });
    await setVersion(join(folder, "package"), version);
    await promisify(execFile)("tar", ["-czf", "package.tgz", "package"], { cwd: folder });
    return await readFile(join(folder, "package.tgz"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
