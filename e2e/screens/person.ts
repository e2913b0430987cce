/** What only the person may do, as they are asked about it in a browser. Part `person` of run.ts. */
import { cp, mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { chromiumPath } from "../support/chromium.ts";
import { leaveConfirming } from "../support/confirm.ts";
import { ask, ServedCore } from "../support/core.ts";
import { install } from "./furnish.ts";
import { goTo, type Shoot, studioOf } from "./studio.ts";

const place = join(tmpdir(), "ada");
const home = join(place, "patchbay");
const downloads = join(place, "downloads");
const plugins = join(import.meta.dirname, "..", "plugins");
const passphrase = "four little words here";

await rm(place, { recursive: true, force: true });
await mkdir(home, { recursive: true });
for (const name of ["explorer", "mailbox"])
  await cp(join(plugins, name), join(downloads, name), { recursive: true });
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
const inEveryWindow = studioOf(browser);
const core = await ServedCore.start(home, [], { npm_config_registry: "https://registry.example.com/" });
try {
  await ask(home, "PATCH", "/settings", { welcomeClosed: true });
  await install(home, join(downloads, "explorer"));
  await install(home, join(downloads, "mailbox"));
  await ask(home, "PUT", "/secrets/WEATHER_API_KEY", { value: "only for the picture" });
  for (const key of ["explorer", "mailbox"])
    await ask(home, "PUT", `/agents/helper/plugins/${key}`, { enabled: true });
  await inEveryWindow(core, takeByCode);
  await ask(home, "POST", "/secrets/passphrase", { passphrase });
  await inEveryWindow(core, takeByEither);
  await ask(home, "PATCH", "/settings", { language: "de" });
  await inEveryWindow(core, takeInGerman);
} finally {
  await browser.close();
  await core.stop();
  await rm(place, { recursive: true, force: true });
}

function asked(page: Page) {
  return page.getByRole("dialog", { name: /^(Is it you\?|Sind Sie es\?)$/ });
}

/** Takes the picture of the question, and says no. */
async function shootAsked(page: Page, shoot: Shoot, name: string): Promise<void> {
  await asked(page).waitFor();
  await shoot(name, "small");
  await page.keyboard.press("Escape");
  await asked(page).waitFor({ state: "hidden" });
}

async function setPassphrase(page: Page): Promise<void> {
  await goTo(page, "/agents/helper/settings/secrets");
  await page.getByRole("button", { name: "Set a passphrase" }).first().click();
  await page.getByLabel("Passphrase", { exact: true }).fill(passphrase);
  await page.getByLabel("The same once more").fill(passphrase);
  await page.getByRole("button", { name: "Set a passphrase" }).last().click();
}

async function takeByCode(page: Page, shoot: Shoot): Promise<void> {
  await leaveConfirming(page);
  await setPassphrase(page);
  const dialog = asked(page);
  await dialog.waitFor();
  await shoot("person-code", "small");
  await dialog.locator("input").fill("000 00x");
  await dialog.getByRole("button", { name: "It is me" }).click();
  await dialog.getByRole("alert").waitFor();
  await shootAsked(page, shoot, "person-wrong-code");
  await page.getByText("Set a passphrase").first().waitFor();
  await shoot("person-refused");

  await goTo(page, "/agents/helper/plugins/mailbox/overview");
  await page.getByText("Deciding from chats").waitFor();
  await shoot("person-deciding-page");
  await page.getByRole("switch", { name: "Owners may decide waiting calls from this channel" }).click();
  await shootAsked(page, shoot, "person-deciding");

  await goTo(page, "/agents/helper/plugins/explorer/permissions");
  await page.getByText("Any public host").click();
  await page.getByRole("region", { name: "Not saved yet" }).getByRole("button", { name: "Grant" }).click();
  await shootAsked(page, shoot, "person-grant");
  await page.getByRole("region", { name: "Not saved yet" }).getByRole("button", { name: "Discard" }).click();

  await page.getByRole("button", { name: /^Agent: Helper/ }).click();
  await page.getByRole("menuitem", { name: "Edit Helper…" }).click();
  const agent = page.getByRole("dialog", { name: "Edit Helper" });
  await agent.getByLabel("Ask for each host").check({ force: true });
  await agent.getByRole("button", { name: "Save" }).click();
  await shootAsked(page, shoot, "person-agent");
  await agent.getByRole("alert").waitFor();
  await shoot("person-agent-refused", "small");
  await page.keyboard.press("Escape");
  await agent.waitFor({ state: "hidden" });
}

async function takeByEither(page: Page, shoot: Shoot): Promise<void> {
  await leaveConfirming(page);
  await goTo(page, "/agents/helper/settings/secrets");
  await page.getByRole("button", { name: "Back up" }).click();
  const form = page.getByRole("form", { name: "Back up all secrets" });
  await form.getByLabel("Passphrase", { exact: true }).fill(passphrase);
  await form.getByLabel("The same once more").fill(passphrase);
  await form.getByRole("button", { name: "Make backup" }).click();
  await shootAsked(page, shoot, "person-backup");
  await form.getByRole("alert").waitFor();
  await form.getByRole("alert").scrollIntoViewIfNeeded();
  await shoot("person-backup-refused");
}

async function takeInGerman(page: Page, shoot: Shoot): Promise<void> {
  await leaveConfirming(page);
  await goTo(page, "/agents/helper/settings/secrets");
  await page.getByRole("button", { name: "Passphrase entfernen" }).click();
  const confirm = page.getByRole("dialog").last();
  await confirm.waitFor();
  await shoot("person-german-remove", "small");
  await confirm.getByRole("button", { name: "Passphrase entfernen" }).click();
  await asked(page).locator("input").fill("nicht diese");
  await asked(page).getByRole("button", { name: "Ich bin es" }).click();
  await asked(page).getByRole("alert").waitFor();
  await shootAsked(page, shoot, "person-german-wrong");
}
