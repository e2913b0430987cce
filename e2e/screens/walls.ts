/** What holds plugins, as a person sees it: what is asked, what is set, what was refused. Part `walls` of run.ts. */
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { chromiumPath } from "../support/chromium.ts";
import { ask, ServedCore } from "../support/core.ts";
import { goTo, type Shoot, studioOf } from "./studio.ts";

const place = join(tmpdir(), "ada");
const home = join(place, "patchbay");
const downloads = join(place, "downloads");
const explorer = join(downloads, "explorer");
const support = join(import.meta.dirname, "..", "support");
const plugins = join(import.meta.dirname, "..", "plugins");
const path = "/agents/helper/plugins/explorer";
const all = { reach: "hosts", hosts: ["api.example.com"], refused: [] };

const server = createServer((_request, answer) => answer.end("here I am"));
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

await rm(place, { recursive: true, force: true });
for (const name of ["explorer", "weather", "mailbox"])
  await cp(join(plugins, name), join(downloads, name), { recursive: true });
await cp(explorer, join(downloads, "quiet-explorer"), { recursive: true });
await rm(join(downloads, "quiet-explorer", "patchbay.json"));
await mkdir(home, { recursive: true });
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
const inEveryWindow = studioOf(browser);
try {
  const core = await ServedCore.start(home, [], { npm_config_registry: "https://registry.example.com/" });
  try {
    await ask(home, "PATCH", "/settings", { welcomeClosed: true });
    await inEveryWindow(core, takeConsent);
    await installed(explorer);
    await ask(home, "PUT", path, { enabled: true });
    await inEveryWindow(core, takePermissions);
    await change("2.0.0", { network: ["api.example.com", "tracker.example.net"], subprocess: true });
    await inEveryWindow(core, takeUpdate);
  } finally {
    await core.stop();
  }
  await rm(home, { recursive: true });
  await mkdir(home);
  const bin = join(import.meta.dirname, "..", "..", "bin", "patchbay");
  const bare = await ServedCore.run([join(support, "without-walls.mjs"), bin, "serve", "--home", home], home);
  try {
    await ask(home, "PATCH", "/settings", { welcomeClosed: true });
    await inEveryWindow(bare, takeWithoutWalls);
  } finally {
    await bare.stop();
  }
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
  await rm(place, { recursive: true, force: true });
}

/** The first question, the card, and what another package of that key has left. */
async function takeConsent(page: Page, shoot: Shoot): Promise<void> {
  await begin(page, join(downloads, "quiet-explorer"));
  await page.getByText("Patchbay has to start it").first().waitFor();
  await shoot("walls-first-question");
  await cancel(page);
  await begin(page, explorer);
  await page.getByRole("heading", { name: "Install Explorer?" }).waitFor();
  await shoot("walls-consent");
  await cancel(page);
}

async function takePermissions(page: Page, shoot: Shoot): Promise<void> {
  await ask(home, "PUT", `${path}/permissions`, { grants: await grantsWith(all) });
  await ask(home, "POST", `${path}/restart`);
  await goTo(page, "/agents/helper/approvals");
  const question = page.getByRole("form", { name: "Patchbay asks about Explorer" });
  const first = reach();
  await question.waitFor();
  await shoot("walls-question");
  await goTo(page, "/agents/helper/plugins");
  await page.getByRole("article", { name: "Explorer" }).waitFor();
  await shoot("walls-question-home");
  await goTo(page, "/agents/helper/approvals");
  await question.getByRole("button", { name: "Until it stops" }).click();
  await first;
  for (let times = 0; times < 11; times += 1) await reach();
  await goTo(page, `${path}/permissions`);
  await page.getByRole("region", { name: "Reached" }).waitFor();
  await shoot("walls-permissions");
  await ask(home, "POST", `${path}/permissions/narrow`, {
    grants: await grantsWith({ reach: "none", hosts: [], refused: [] }),
  });
  await reach();
  await reach();
  await page.getByRole("region", { name: "Refused", exact: true }).getByText(/times/).first().waitFor();
  await shoot("walls-refused");
  await page.getByRole("region", { name: "Refused", exact: true }).scrollIntoViewIfNeeded();
  await shoot("walls-refused-below");
  await goTo(page, "/agents/helper/plugins");
  await page.getByText(`Refused just now: ${host}`).first().waitFor();
  await shoot("walls-refused-card");
  await goTo(page, `${path}/activity`);
  await page.getByText(`A wall kept it from reaching ${host}.`).first().waitFor();
  await shoot("walls-activity");
  await ask(home, "PUT", `${path}/permissions`, { grants: await grantsWith(all) });
}

async function takeUpdate(page: Page, shoot: Shoot): Promise<void> {
  await begin(page, explorer);
  await page.getByRole("dialog").getByText("2.0.0").first().waitFor();
  await page.getByRole("dialog").getByText("tracker.example.net").first().waitFor();
  await shoot("walls-update");
  await cancel(page);
}

async function takeWithoutWalls(page: Page, shoot: Shoot): Promise<void> {
  const banner = page.getByRole("status").filter({ hasText: "Plugins do not start" });
  await banner.waitFor();
  await shoot("walls-none");
  await begin(page, explorer);
  await page.getByRole("dialog").getByText("bubblewrap").first().waitFor();
  await shoot("walls-none-consent");
  await cancel(page);
  await banner.getByRole("button", { name: "Run without walls…" }).click();
  const dialog = page.getByRole("dialog", { name: "Run plugins without walls?" });
  await dialog.waitFor();
  await shoot("walls-none-decide", "small");
  await page.keyboard.press("Escape");
  await goTo(page, "/agents/helper/settings/about");
  await page.locator("#settings-section").waitFor();
  await shoot("walls-none-about");
}

async function begin(page: Page, spec: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Add plugin" }).first().click();
  await dialog.getByRole("textbox").first().fill(spec);
  await dialog.getByRole("button", { name: "Continue", exact: true }).click();
}

async function cancel(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog");
  const refuse = dialog.getByRole("button", { name: /^(Do not|Cancel|Keep)/ }).first();
  await refuse.click();
  await dialog.getByRole("button", { name: "Remove from list" }).first().click();
  await dialog.waitFor({ state: "hidden" });
}

async function installed(spec: string): Promise<void> {
  const job = await ask<{ id: string }>(home, "POST", "/jobs", { spec, yes: true });
  for (let status = ""; status !== "done"; await new Promise((resolve) => setTimeout(resolve, 50))) {
    ({ status } = await ask<{ status: string }>(home, "GET", `/jobs/${job.id}`));
    if (status === "failed") throw new Error(`${spec} was not installed.`);
  }
}

/** A version of the plugin that asks for more than the one before. */
async function change(version: string, permissions: object): Promise<void> {
  const described = await import(join(plugins, "explorer", "patchbay.json"), { with: { type: "json" } });
  const description = structuredClone(described.default);
  Object.assign(description.manifest.permissions, permissions);
  await writeFile(join(explorer, "patchbay.json"), JSON.stringify(description));
  const stated = await import(join(plugins, "explorer", "package.json"), { with: { type: "json" } });
  await writeFile(join(explorer, "package.json"), JSON.stringify({ ...stated.default, version }));
}

async function grantsWith(network: object): Promise<object> {
  const { grants } = await ask<{ grants: object }>(home, "GET", `${path}/permissions`);
  return { ...grants, network };
}

function reach(): Promise<unknown> {
  return ask(home, "POST", "/agents/helper/tools/explorer__reach/call", {
    input: { url: `http://${host}/` },
    yes: true,
  });
}
