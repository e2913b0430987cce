/**
 * Every kind of settings field, empty, filled and wrong, in both themes in two widths, and as JSON. Part `fields` of
 * run.ts.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { chromiumPath } from "../support/chromium.ts";
import { ServedCore } from "../support/core.ts";
import { install } from "./furnish.ts";
import { photograph, themes } from "./photograph.ts";
import { goTo } from "./studio.ts";

const everyField = join(import.meta.dirname, "..", "..", "test", "fixtures", "plugins", "every-field");
const sizes = [
  { name: "-640", width: 640, height: 3_200 },
  { name: "-1280", width: 1_280, height: 2_600 },
];

/** Fills each field that is to be typed into, and chooses the last entry of each choice. */
async function fillAll(page: Page, text: string, number: string): Promise<void> {
  const form = page.getByRole("tabpanel");
  for (const field of await form.getByRole("textbox").all())
    if (await field.isEditable()) await field.fill(text);
  for (const field of await form.getByRole("spinbutton").all()) await field.fill(number);
  for (const add of await form.getByRole("button", { name: "Add", exact: true }).all()) await add.click();
  await page.keyboard.press("Tab");
}

const home = await mkdtemp(join(tmpdir(), "patchbay-fields-"));
const core = await ServedCore.start(home);
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
try {
  await install(home, everyField);
  for (const theme of themes)
    for (const size of sizes) {
      const context = await browser.newContext({
        viewport: size,
        colorScheme: theme,
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      await core.openIn(page, await core.freshLink());
      await goTo(page, "/agents/helper/plugins/every-field/settings");
      await page.getByRole("button", { name: "Save settings" }).waitFor();
      await photograph(page, "fields-empty", theme, size);
      await fillAll(page, "Harbour", "4");
      await photograph(page, "fields-filled", theme, size);
      await fillAll(page, "", "-999999");
      await page.getByRole("button", { name: "Save settings" }).click();
      await photograph(page, "fields-wrong", theme, size);
      await context.close();
    }
} finally {
  await browser.close();
  await core.stop();
  await rm(home, { recursive: true, force: true });
}
