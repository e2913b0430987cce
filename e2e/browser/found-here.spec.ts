import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { test as base, expect } from "@playwright/test";
import { App, pluginFolder } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";
import { ServedCore } from "../support/core.ts";

const support = join(import.meta.dirname, "../../test/support");
const test = base.extend<{ folder: string; open(program: string): Promise<App> }>({
  folder: async ({ baseURL: _ }, use) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "patchbay-found-")));
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  open: async ({ folder, page }, use) => {
    const cores: ServedCore[] = [];
    await use(async (program) => {
      const home = join(folder, "home");
      const env = { HOME: folder, XDG_CONFIG_HOME: join(folder, "config") };
      const core = await ServedCore.run([join(support, program), home, join(folder, "desk")], home, env);
      cores.push(core);
      await core.openIn(page);
      const app = new App(page, home);
      await app.closeWelcome();
      await page.getByRole("link", { name: "Discover", exact: true }).click();
      return app;
    });
    for (const core of cores) await core.stop();
  },
});

const here = (page: Page) => page.getByRole("button", { name: /^On this computer/ });
const card = (page: Page, name: string) => page.getByRole("article", { name, exact: true });

test("what another program on this computer has is listed with its state, and installed or linked", async ({
  page,
  folder,
  open,
}) => {
  const desk = join(folder, "desk");
  for (const name of ["weather", "calendar", "courier"] as const)
    await cp(pluginFolder[name === "calendar" ? "careful" : name], join(desk, name), { recursive: true });
  const before = await readFile(join(desk, "weather", "package.json"), "utf8");
  const app = await open("found-core.ts");
  await expect(here(page)).toHaveText("On this computer6");
  await here(page).click();
  await expect(page.getByRole("article")).toHaveCount(6);
  const says: Record<string, [string, string]> = {
    weather: ["Switched on there", "Desk services loads it."],
    calendar: ["Switched off there", "because it was switched off there."],
    courier: ["Not switched on there", "because it was never switched on there."],
    torn: ["Broken", "The plugin.yaml ends in the middle of a text."],
    memory: ["Not supported", "It replaces the memory, which Desk does not allow."],
    twin: ["Replaced", `loads another plugin of the same name in its place: ${join(desk, "weather")}`],
  };
  for (const [name, [state, why]] of Object.entries(says)) {
    await expect(card(page, name).getByText(state, { exact: true })).toBeVisible();
    await expect(card(page, name)).toContainText(why);
    await expect(card(page, name)).toContainText(join(desk, name));
  }
  await expect(card(page, "weather")).toContainText("Comes with Desk services · 1.2.0");
  for (const name of ["torn", "memory"]) await expect(card(page, name).getByRole("button")).toHaveCount(0);
  await expectNoViolationsInBoth(page, "found here");

  await card(page, "weather").getByRole("button", { name: "Install weather" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: /is installed/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card(page, "weather").getByText("Installed", { exact: true })).toBeVisible();
  await card(page, "courier").getByRole("button", { name: "Link courier" }).click();
  await dialog.getByRole("button", { name: /^(Install|Link)$/ }).click();
  await expect(dialog.getByRole("heading", { name: /is installed/ })).toBeVisible();
  await page.keyboard.press("Escape");
  const found = await app.ask<{ plugins: { key: string; installed: string | null }[] }>("GET", "/found");
  expect(found.plugins.filter(({ installed }) => installed !== null).map(({ key }) => key)).toEqual([
    "weather",
    "courier",
  ]);
  const rows = await app.ask<{ manifestKey: string; source: { kind: string } }[]>("GET", "/plugins");
  expect(rows.map(({ source }) => source.kind).sort()).toEqual(["folder", "link"]);
  expect(await readFile(join(desk, "weather", "package.json"), "utf8")).toBe(before);

  await card(page, "weather").getByRole("link", { name: "Open weather" }).click();
  await expect(page.getByRole("tab", { name: "Overview" })).toBeVisible();
});

test("what was found is searched, said in German, and fits a narrow window", async ({ page, open }) => {
  const app = await open("found-core.ts");
  await here(page).click();
  await page.getByRole("searchbox").fill("torn");
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.getByRole("searchbox").fill("nothing of this kind");
  await expect(page.getByRole("heading", { name: "Nothing fits “nothing of this kind”" })).toBeVisible();
  await page.getByRole("button", { name: "Show everything" }).click();
  await expect(page.getByRole("article")).toHaveCount(6);
  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(card(page, "calendar")).toContainText("Dort ausgeschaltet");
  await expect(card(page, "calendar")).toContainText(
    "Desk services lädt es nicht, weil es dort ausgeschaltet wurde.",
  );
  await page.setViewportSize({ width: 640, height: 480 });
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await wide()).toBeLessThanOrEqual(0);
  await expect(card(page, "calendar").getByRole("button", { name: "calendar installieren" })).toBeVisible();
  await expectNoViolationsInBoth(page, "found here, German, narrow");
  await app.ask("PATCH", "/settings", { language: "en" });
});

test("a Flowly on this computer is read: its lists, its manifests, and what it does not load", async ({
  page,
  folder,
  open,
}) => {
  const flowly = join(folder, ".flowly");
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(flowly, name)), { recursive: true });
    await writeFile(join(flowly, name), text);
  };
  for (const [dir, yaml] of [
    ["clock", "name: clock\nversion: 1.10\ndescription: Says what time it is."],
    ["later", "name: later"],
    ["a-note", "name: note"],
    ["b-note", "name: note"],
    ["torn", "name: [torn"],
    ["memory", "name: memory\nkind: exclusive"],
  ] as const) {
    await write(`plugins/${dir}/plugin.yaml`, `${yaml}\n`);
    await write(`plugins/${dir}/__init__.py`, "def register(ctx):\n    pass\n");
  }
  const lists = JSON.stringify({ plugins: { enabled: ["clock", "note"], disabled: ["later"] } });
  await write("config.json", lists);
  await open("fifth-core.ts");
  await here(page).click();
  const at = (dir: string) =>
    page.getByRole("article").filter({ has: page.getByText(join(flowly, "plugins", dir), { exact: true }) });
  await expect(page.getByRole("article")).toHaveCount(6);
  await expect(at("clock")).toContainText("Switched on there");
  await expect(at("clock")).toContainText("Your own in Flowly · 1.1");
  await expect(at("later")).toContainText("Flowly does not load it, because it was switched off there.");
  await expect(at("a-note").filter({ hasText: "Replaced" })).toContainText(join(flowly, "plugins/b-note"));
  await expect(at("later")).toContainText("Flowly says: disabled in config");
  await expect(at("torn")).toContainText("Broken");
  await expect(at("torn")).toContainText("Flowly says: failed to parse");
  await expectNoViolationsInBoth(page, "found Flowly");
  await expect(at("memory")).toContainText("exclusive");
  await at("clock").getByRole("button", { name: "Install clock" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: /is installed/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(at("clock").getByText("Installed", { exact: true })).toBeVisible();
  expect(await readFile(join(flowly, "config.json"), "utf8")).toBe(lists);
  expect(await readdir(join(flowly, "plugins/clock"))).toEqual(["__init__.py", "plugin.yaml"]);
});

test("where nothing was found, the places say where was looked", async ({ page, folder, open }) => {
  await open("fifth-core.ts");
  await here(page).click();
  await expect(page.getByRole("heading", { name: "No plugins of other programs here" })).toBeVisible();
  for (const place of ["config/fledge", ".flowly/plugins"])
    await expect(page.getByText(join(folder, place), { exact: true })).toBeVisible();
  await expectNoViolationsInBoth(page, "nothing found here");
});
