/** Rarer states of walled plugins: a linked folder, a secret that is put in, an older version, and rows set aside. */
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { chromiumPath } from "../support/chromium.ts";
import { ask, ServedCore } from "../support/core.ts";
import { install } from "./furnish.ts";
import { goTo, type Shoot, studioOf } from "./studio.ts";

const place = join(tmpdir(), "ada");
const home = join(place, "patchbay");
const downloads = join(place, "downloads");
const plugins = join(import.meta.dirname, "..", "plugins");

const forecast = {
  manifestVersion: 1,
  key: "forecast",
  displayName: "Forecast",
  description: "Tells the weather of tomorrow.",
  permissions: { network: ["api.example.com"], files: "none", subprocess: false },
  secretKeys: [{ key: "token", label: "API key", sentOnlyTo: ["api.example.com"] }],
};

await rm(place, { recursive: true, force: true });
await mkdir(home, { recursive: true });
for (const name of ["explorer", "mailbox"])
  await cp(join(plugins, name), join(downloads, name), { recursive: true });
await writeForecast(join(downloads, "forecast"));
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
const inEveryWindow = studioOf(browser);
const start = () => ServedCore.start(home, [], { npm_config_registry: "https://registry.example.com/" });
try {
  const core = await start();
  try {
    await ask(home, "PATCH", "/settings", { welcomeClosed: true });
    await install(home, join(downloads, "forecast"));
    await install(home, join(downloads, "explorer"));
    await raise(join(downloads, "explorer"));
    await install(home, join(downloads, "explorer"));
    await linked(join(downloads, "mailbox"));
    await ask(home, "PUT", "/agents/helper/plugins/mailbox", { enabled: true });
    await inEveryWindow(core, takeStates);
    await declareMore(join(downloads, "mailbox"));
    await ask(home, "POST", "/agents/helper/plugins/mailbox/restart");
    await inEveryWindow(core, takeGrownLink);
    await ask(home, "PATCH", "/settings", { language: "de" });
    await inEveryWindow(core, takeGerman);
    await ask(home, "PATCH", "/settings", { language: "system" });
    await ask(home, "PUT", "/agents/helper/plugins/mailbox", { enabled: false });
  } finally {
    await core.stop();
  }
  await switchOnByHand();
  const again = await start();
  try {
    await inEveryWindow(again, takeSetAside);
    await ask(home, "PATCH", "/settings", { language: "de" });
    await inEveryWindow(again, takeSetAsideInGerman);
  } finally {
    await again.stop();
  }
} finally {
  await browser.close();
  await rm(place, { recursive: true, force: true });
}

async function takeStates(page: Page, shoot: Shoot): Promise<void> {
  await goTo(page, "/agents/helper/plugins/forecast/settings");
  await page.getByText("API key").first().waitFor();
  await shoot("walled-put-in-settings");
  await goTo(page, "/agents/helper/plugins/forecast/permissions");
  await page.getByText("the plugin never sees it").waitFor();
  await shoot("walled-put-in-permissions");
  await goTo(page, "/agents/helper/plugins/explorer/overview");
  await page.getByText("What it may reach").waitFor();
  await shoot("walled-overview");
  await goTo(page, "/agents/helper/plugins/explorer/versions");
  await page.getByRole("button", { name: "Roll back to 1.0.0" }).click();
  const card = page.getByRole("dialog");
  await card.getByRole("button", { name: "Roll back" }).waitFor();
  await shoot("walled-roll-back", "small");
  await card.getByRole("button", { name: "Keep the present one" }).click();
  await card.getByRole("button", { name: "Try again" }).waitFor();
  await shoot("walled-kept", "small");
  await card.getByRole("button", { name: "Remove from list" }).click();
  await card.waitFor({ state: "hidden" });
  await goTo(page, "/agents/helper/plugins/mailbox/overview");
  await page.getByText(/^A linked folder is run as it is/).waitFor();
  await shoot("walled-linked");
  await page.getByRole("button", { name: /^Agent: Helper/ }).click();
  await page.getByRole("menuitem", { name: "Edit Helper…" }).click();
  const agent = page.getByRole("dialog", { name: "Edit Helper" });
  await agent.getByLabel("Ask for each host").check({ force: true });
  await agent.getByLabel("Add a host").fill("packages.example.com");
  await agent.getByLabel("Add a host").press("Enter");
  await agent.getByLabel("Add a host").scrollIntoViewIfNeeded();
  await shoot("walled-shell-network", "small");
  await page.keyboard.press("Escape");
  await goTo(page, "/agents/helper/settings/safety");
  await page.getByText("Walls around plugins").waitFor();
  await shoot("walled-safety");
  await goTo(page, "/agents/helper/settings/about");
  await page.locator("#settings-section").waitFor();
  await shoot("walled-about");
}

async function takeGrownLink(page: Page, shoot: Shoot): Promise<void> {
  await goTo(page, "/agents/helper/plugins/mailbox/overview");
  await page.getByText("Its folder declares more than you agreed to").waitFor();
  await shoot("walled-linked-grown");
}

async function takeGerman(page: Page, shoot: Shoot): Promise<void> {
  await goTo(page, "/agents/helper/plugins");
  await page.getByRole("button", { name: "Plugin hinzufügen" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").first().fill(join(downloads, "forecast"));
  await dialog.getByRole("button", { name: "Weiter", exact: true }).click();
  await dialog.locator("summary").first().click();
  await dialog.getByText("setzt das auf diesem Rechner durch").waitFor();
  await dialog.getByText("setzt das auf diesem Rechner durch").scrollIntoViewIfNeeded();
  await shoot("walled-consent-german", "small");
  await dialog.getByRole("button", { name: "Alte Version behalten" }).click();
  await dialog.getByRole("button", { name: "Aus der Liste nehmen" }).click();
  await dialog.waitFor({ state: "hidden" });
  await goTo(page, "/agents/helper/plugins/mailbox/permissions");
  await page.getByText("Arbeitsordner des Agenten").waitFor();
  await shoot("walled-permissions-german");
}

async function takeSetAside(page: Page, shoot: Shoot): Promise<void> {
  const notice = page.getByRole("status").filter({ hasText: "Something other than Patchbay changed" });
  await notice.first().waitFor();
  await shoot("walled-set-aside");
  await notice.getByRole("button", { name: "Use it anyway" }).first().click();
  await page.getByRole("dialog").waitFor();
  await shoot("walled-set-aside-asked", "small");
  await page.keyboard.press("Escape");
}

async function takeSetAsideInGerman(page: Page, shoot: Shoot): Promise<void> {
  await page.getByText("Etwas anderes als Patchbay").first().waitFor();
  await shoot("walled-set-aside-german");
}

async function writeForecast(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const about = { name: "forecast", version: "1.0.0", type: "module", main: "index.js" };
  const described = { patchbay: 1, manifest: { ...forecast, tools: { namespace: "forecast", start: true } } };
  await writeFile(join(folder, "package.json"), JSON.stringify(about));
  await writeFile(join(folder, "patchbay.json"), JSON.stringify(described));
  const code = `export default { ...${JSON.stringify(forecast)},
  tools: { namespace: "forecast", start: async () => ({ toolsets: [], stop: async () => {} }) } };`;
  await writeFile(join(folder, "index.js"), code);
}

/** Gives the package a newer version. */
async function raise(folder: string): Promise<void> {
  const file = join(folder, "package.json");
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, "utf8")), version: "1.1.0" }));
}

async function linked(folder: string): Promise<void> {
  const job = await ask<{ id: string }>(home, "POST", "/jobs", { spec: folder, link: true, yes: true });
  for (let status = ""; status !== "done"; await new Promise((resolve) => setTimeout(resolve, 50))) {
    ({ status } = await ask<{ status: string }>(home, "GET", `/jobs/${job.id}`));
    if (status === "failed") throw new Error(`${folder} was not linked.`);
  }
}

async function declareMore(folder: string): Promise<void> {
  for (const name of ["index.js", "patchbay.json"]) {
    const text = await readFile(join(folder, name), "utf8");
    await writeFile(join(folder, name), text.replace(/("?)files\1: "none"/, '$1files$1: "all"'));
  }
}

/** Switches a plugin on in the file, as another program would. */
async function switchOnByHand(): Promise<void> {
  const file = join(home, "agents", "helper", "agent-plugins.json");
  const content = JSON.parse(await readFile(file, "utf8"));
  for (const row of content.data.rows) row.enabled = true;
  await writeFile(file, JSON.stringify(content));
}
