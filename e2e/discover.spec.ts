import { execFile } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth, tabTo } from "./support/axe.ts";
import { drop } from "./support/drop.ts";
import { listedCount, Sources } from "./support/sources.ts";

const catalogue = await readFile(join(import.meta.dirname, "..", "resources", "catalog.json"), "utf8");
const { plugins: builtIn } = JSON.parse(catalogue) as { plugins: unknown[] };

/** The built-in plugins and those of the team. */
const everything = `${(listedCount + builtIn.length).toLocaleString("en")} plugins`;

const openDiscover = async (page: Page) => {
  await page.getByRole("link", { name: "Discover", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Discover", exact: true })).toBeVisible();
};
const card = (page: Page, name: string) => page.getByRole("article", { name, exact: true });
const search = (page: Page) => page.getByRole("searchbox", { name: "Search plugins" });

test("the catalogues and the registry are searched at once, and narrowed by badges", async ({ app }) => {
  await using sources = await Sources.open();
  await app.ask("PATCH", "/settings", sources.settings);
  const { page } = app;
  await openDiscover(page);
  await expect(page.getByRole("status").filter({ hasText: everything })).toBeVisible();
  await expect(card(page, "HTTP")).toBeVisible();
  expect(await page.getByRole("article").count()).toBeLessThan(60);

  await search(page).fill("letters 77");
  await expect(page.getByRole("article").first()).toContainText("Letters 77");
  await page.getByRole("button", { name: "fledge", exact: true }).click();
  await expect(page.getByRole("article").first()).toContainText("fledge");
  await expect(page.getByRole("article").getByText("dirge")).toHaveCount(0);
  await page.getByRole("button", { name: "All", exact: true }).click();

  await search(page).fill("tide");
  await expect(page.getByRole("heading", { name: "Packages of the npm registry" })).toBeVisible();
  await expect(card(page, "plugin-tides")).toContainText("Unverified");

  await page.getByRole("button", { name: "Add by name or address" }).click();
  const adding = page.getByRole("dialog");
  await expect(adding.getByRole("button", { name: /^HTTP/ })).toBeVisible();
  await expect(adding.getByRole("button", { name: /^Calendar/ })).toHaveCount(0);
  await adding.getByRole("textbox", { name: "Name, path or address of a plugin" }).fill("calendar");
  await expect(adding.getByText(/more fit\. Type more of it/)).toBeVisible();
  expect(await adding.getByRole("button", { name: /^Calendar/ }).count()).toBeLessThan(50);
  await page.keyboard.press("Escape");

  await search(page).fill("nothing-of-that-name");
  await expect(page.getByText("Nothing fits “nothing-of-that-name”")).toBeVisible();
  await expect(page.getByRole("button", { name: "Add “nothing-of-that-name”" })).toBeVisible();
  await page.getByRole("button", { name: "Show everything" }).click();
  await page.getByRole("button", { name: /^Built in/ }).click();
  await expect(page.getByRole("article")).toHaveCount(builtIn.length);
  await page.getByRole("button", { name: /^Team/ }).click();
  await expect(page.getByText(`${listedCount.toLocaleString("en")} plugins`)).toBeVisible();
});

test("a result says what it can do, what it asks for, whose it is, and which versions there are", async ({
  app,
}) => {
  await using sources = await Sources.open();
  await app.ask("PATCH", "/settings", sources.settings);
  const { page } = app;
  await openDiscover(page);
  await search(page).fill("calendar 0");
  await card(page, "Calendar 0").getByRole("link", { name: "Calendar 0" }).click();
  await expect(page.getByRole("heading", { name: "Calendar 0", exact: true })).toBeVisible();
  await expect(page.getByText("Gives the agent 4 tools, under “a”")).toBeVisible();
  await expect(page.getByText("Reaches these hosts: api.example.com")).toBeVisible();
  await expect(page.getByText("Nobody has looked at it.")).toBeVisible();

  await page.getByRole("main").getByRole("link", { name: "Discover" }).click();
  await expect(search(page)).toHaveValue("calendar 0");
  await search(page).fill("tide");
  await card(page, "plugin-tides").getByRole("link", { name: "plugin-tides" }).click();
  await expect(page.getByText("Counts the tides of last year.")).toBeVisible();
  await expect(page.getByText("grace")).toBeVisible();
  await expect(page.getByText(/Only the package itself can say/)).toBeVisible();

  await page.getByRole("button", { name: "Install 1.0.0" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("alert")).toBeVisible();
  await expect(dialog.locator('[data-phase="resolve"]')).toHaveAttribute("data-status", /done|failed/);
});

test("a source that fails is named, keeps no other from answering, and is asked again", async ({ app }) => {
  await using sources = await Sources.open();
  sources.broken.add("catalogue").add("registry");
  await app.ask("PATCH", "/settings", sources.settings);
  const { page } = app;
  await openDiscover(page);
  const host = new URL(sources.url).host;
  await expect(page.getByRole("status").filter({ hasText: `${host} could not be asked.` })).toBeVisible();
  await expect(card(page, "Guard")).toBeVisible();
  await search(page).fill("tide");
  await expect(page.getByRole("status").filter({ hasText: `${host} could not be asked.` })).toHaveCount(2);

  sources.broken.clear();
  await page.getByRole("button", { name: "Try again" }).last().click();
  await expect(card(page, "plugin-tides")).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await search(page).fill("");
  await expect(page.getByText(everything)).toBeVisible();
});

test("installing opens the job with its phases, and the card then says so", async ({ app }) => {
  const { page } = app;
  await openDiscover(page);
  await card(page, "Guard").getByRole("button", { name: "Install Guard" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: "Install Guard?" })).toBeVisible();
  await expect(dialog.locator('[data-phase="inspect"]')).toHaveAttribute("data-status", "done");
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "Guard is installed" })).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await expect(card(page, "Guard").getByText("Installed", { exact: true })).toBeVisible();
  await card(page, "Guard").getByRole("link", { name: "Open Guard" }).click();
  await expect(page.getByRole("heading", { name: "Guard", exact: true })).toBeVisible();
});

test("a dropped package file is handed over and installed", async ({ app }) => {
  const { page } = app;
  const packed = await pack(app.home);
  await drop(page, { file: { name: "weather-1.0.0.tgz", bytes: await readFile(packed) } });
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: "Install Weather?" })).toBeVisible();
  await expect(dialog.getByText("Package file")).toBeVisible();
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "Weather is installed" })).toBeVisible();
});

test("a dropped link goes to the field, and what cannot be taken is said in words", async ({ app }) => {
  const { page } = app;
  await drop(page, { text: "https://example.com/someone/plugin.git" });
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("textbox", { name: "Name, path or address of a plugin" })).toHaveValue(
    "https://example.com/someone/plugin.git",
  );
  await dialog.getByRole("button", { name: "Close" }).click();

  await drop(page, { file: { name: "notes.txt", bytes: Buffer.from("hello") } });
  await expect(dialog.getByText("“notes.txt” is no package file.", { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "Type the path" }).click();
  await expect(dialog.getByRole("textbox", { name: "Name, path or address of a plugin" })).toBeFocused();
  await dialog.getByRole("button", { name: "Close" }).click();

  await drop(page, { file: { name: "broken.tgz", bytes: Buffer.from("no archive") } });
  await expect(dialog.getByRole("alert")).toBeVisible();
});

test("finding and installing go by keyboard alone", async ({ app }) => {
  const { page } = app;
  await tabTo(page, page.getByRole("link", { name: "Discover", exact: true }));
  await page.keyboard.press("Enter");
  await expect(search(page)).toBeFocused();
  await page.keyboard.type("guard");
  await expect(page.getByRole("article")).toHaveCount(1);
  await tabTo(page, card(page, "Guard").getByRole("link", { name: "Guard" }));
  await page.keyboard.press("Enter");
  const install = page.getByRole("button", { name: "Install", exact: true });
  await expect(install).toBeVisible();
  await tabTo(page, install);
  await page.keyboard.press("Enter");
  const accept = page.getByRole("dialog").getByRole("button", { name: "Install", exact: true });
  await expect(accept).toBeVisible();
  await tabTo(page, accept);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Guard is installed" })).toBeVisible();
});

test("axe finds nothing on Discover and its results, in light or in dark", async ({ app }) => {
  await using sources = await Sources.open();
  sources.broken.add("registry");
  await app.ask("PATCH", "/settings", sources.settings);
  const { page } = app;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openDiscover(page);
  await expect(page.getByText(everything)).toBeVisible();
  await search(page).fill("calendar");
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
  await expectNoViolationsInBoth(page, "Discover");
  await search(page).fill("nothing-of-that-name");
  await expectNoViolationsInBoth(page, "nothing found");
  await search(page).fill("guard");
  await card(page, "Guard").getByRole("link", { name: "Guard" }).click();
  await expect(page.getByRole("heading", { name: "What it asks for" })).toBeVisible();
  await expectNoViolationsInBoth(page, "result");
  await drop(page, { file: { name: "notes.txt", bytes: Buffer.from("hello") } });
  await expect(page.getByText("“notes.txt” is no package file.", { exact: true })).toBeVisible();
  await expectNoViolationsInBoth(page, "refused drop");
});

/** A package file of the weather plugin, as `npm pack` makes it. */
async function pack(home: string): Promise<string> {
  const folder = join(home, "..", `pack-${Date.now()}`);
  await cp(pluginFolder.weather, join(folder, "package"), { recursive: true });
  const file = join(folder, "weather.tgz");
  await promisify(execFile)("tar", ["-czf", file, "-C", folder, "package"]);
  return file;
}
