import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { strFromU8, unzipSync } from "fflate";
import { type App, expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

/** Lets this shell write the archive; what is in it, by name. */
async function save(page: Page, home: string): Promise<Record<string, string>> {
  const desktop = page.getByRole("button", { name: "Save to downloads" });
  let bytes: Uint8Array;
  if ((await desktop.count()) > 0) {
    await desktop.click();
    await expect(page.getByText(/^Saved as /)).toBeVisible();
    const [path = ""] = /\/\S+\.zip/.exec((await page.getByText(/^Saved as /).textContent()) ?? "") ?? [];
    expect(path).toContain(home);
    bytes = await readFile(path);
  } else {
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download zip" }).click();
    bytes = await readFile(await (await downloading).path());
    await expect(page.getByText(/was handed to your browser\.$/)).toBeVisible();
  }
  return Object.fromEntries(
    Object.entries(unzipSync(bytes)).map(([name, content]) => [name, strFromU8(content)]),
  );
}

async function arrange(app: App): Promise<void> {
  await app.install(pluginFolder.weather);
  await app.install(pluginFolder.careful);
  await app.set("weather", { enabled: true, secrets: { apiKey: "the-weather-key-4711" } });
  await app.set("careful", { enabled: true });
}

test("diagnostics are gathered, looked at file by file, and written without what was left out and without secrets", async ({
  app,
}) => {
  const { page, home } = app;
  await arrange(app);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Export diagnostics");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/nothing is sent anywhere/)).toBeVisible();
  expect((await readdir(home)).filter((name) => name.endsWith(".zip"))).toEqual([]);
  await page.getByRole("button", { name: "Gather", exact: true }).click();

  const preview = (name: string) => page.getByRole("region", { name: `Text of ${name}` });
  await expect(preview("README.txt")).toContainText("for somebody who helps");
  await page.getByRole("button", { name: /^instances\.json/ }).click();
  await expect(preview("instances.json")).toContainText('"pluginKey": "weather"');
  await expect(preview("instances.json")).toContainText("WEATHER_API_KEY");
  const shown = await preview("instances.json").locator("pre").textContent();
  await page.getByRole("checkbox", { name: "Include jobs.json" }).uncheck();
  await expectNoViolationsInBoth(page, "diagnostics");

  const files = await save(page, home);
  expect(Object.keys(files)).not.toContain("jobs.json");
  expect(files["instances.json"]).toBe(shown);
  expect(files["versions.json"]).toContain('"patchbay"');
  expect(JSON.stringify(files)).not.toContain("the-weather-key-4711");
  const { token } = JSON.parse(await readFile(join(home, "gateway.json"), "utf8")) as { token: string };
  expect(JSON.stringify(files)).not.toContain(token);
});
