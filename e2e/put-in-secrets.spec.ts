import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "./support/app.ts";

const manifest = {
  manifestVersion: 1,
  key: "forecast",
  displayName: "Forecast",
  description: "Tells the weather of tomorrow.",
  permissions: { network: ["api.example.com"], files: "none", subprocess: false },
  secretKeys: [{ key: "token", label: "API key", sentOnlyTo: ["api.example.com"] }],
};

/** A plugin whose key Patchbay puts in. */
async function write(folder: string): Promise<string> {
  await mkdir(folder);
  const about = { name: "forecast", version: "1.0.0", type: "module", main: "index.js" };
  const described = { patchbay: 1, manifest: { ...manifest, tools: { namespace: "forecast", start: true } } };
  await writeFile(join(folder, "package.json"), JSON.stringify(about));
  await writeFile(join(folder, "patchbay.json"), JSON.stringify(described));
  await writeFile(
    join(folder, "index.js"),
    `export default { ...${JSON.stringify(manifest)},
  tools: { namespace: "forecast", start: async () => ({ toolsets: [], stop: async () => {} }) } };`,
  );
  return folder;
}

test("the consent card and the permissions say that the plugin never sees its key", async ({ app }) => {
  const { page } = app;
  const folder = await write(join(app.home, "forecast"));
  await page.getByRole("button", { name: "Add plugin" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(folder);
  await dialog.getByRole("button", { name: "Continue" }).click();
  const words = "Put in by Patchbay on the way to api.example.com; the plugin never sees it.";
  await expect(dialog.getByText(words)).toBeVisible();
  await dialog.getByRole("button", { name: "Do not install" }).click();
  await expect(dialog.getByText("Nothing was changed")).toBeVisible();
  await page.keyboard.press("Escape");

  await app.install(folder);
  await app.goTo("/agents/helper/plugins/forecast/permissions");
  const sentence = "API key is put in by Patchbay on the way to api.example.com; the plugin never sees it.";
  await expect(page.getByText(sentence)).toBeVisible();
  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(page.getByText("das Plugin sieht den Wert nie")).toBeVisible();
});
