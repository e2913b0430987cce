/** The pictures of every screen, from the real app with real plugins. Part `app` of run.ts. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { chromiumPath } from "../support/chromium.ts";
import { ask, ServedCore } from "../support/core.ts";
import { Sources } from "../support/sources.ts";
import { takeClosedVaults } from "./closed-vaults.ts";
import { furnishMore, takeMore, takeWelcome } from "./more.ts";
import { photograph, type Size, type Theme, themes, usual, wide } from "./photograph.ts";
import { takeSetup } from "./setup.ts";

const root = join(import.meta.dirname, "..", "..");
const target = join(root, "docs", "screens");
const sizes = [usual, wide];

const script = [
  {
    say: "I'll look at what is there and remove `build/old`.",
    call: { tool: "shell", input: { command: "rm -rf build && echo 214 files removed" } },
  },
  { say: "Done. 214 files removed (38 MB). Two tracked files are untouched; nothing to commit." },
  {
    say: "One more place to look.",
    call: { tool: "shell", input: { command: "du -sh build/* | sort -h" } },
  },
  { say: "That is all." },
];

const home = await mkdtemp(join(tmpdir(), "patchbay-pictures-"));
/** Where the plugin lies whose installation is pictured: no path of this machine belongs in a picture. */
const downloads = join(tmpdir(), "downloads");
const sources = await Sources.open();
const core = await ServedCore.start(home);
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
try {
  await mkdir(target, { recursive: true });
  await cp(join(root, "e2e", "plugins", "calendar"), join(downloads, "calendar"), { recursive: true });
  for (const theme of themes) for (const size of sizes) await inWindow(theme, size, takeWelcome);
  await furnish();
  await furnishMore(home, sources);
  for (const theme of themes) for (const size of sizes) await inWindow(theme, size, takeAll);
  await takeClosedVaults(async (link, take) => {
    for (const theme of themes) for (const size of sizes) await inWindow(theme, size, take, link);
  });
} finally {
  await browser.close();
  await core.stop();
  await sources[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
  await rm(downloads, { recursive: true, force: true });
}

/** An agent as one would find it in use: something runs, something is off, something needs the person. */
async function furnish(): Promise<void> {
  for (const name of ["careful", "mailbox", "weather", "courier"])
    await install(join(root, "e2e", "plugins", name));
  await install(join(root, "test", "fixtures", "plugins", "echo"));
  for (const key of ["http", "guard"]) await install(`builtin:${key}`);
  await set("careful", { enabled: true });
  await set("guard", { enabled: true });
  await set("http", {
    enabled: true,
    config: { tools: { allowedHosts: ["example.com", "*.wikipedia.org"] } },
  });
  await set("mailbox", { enabled: true, config: { channel: { trouble: "fails" } } });
  await set("weather", { enabled: true });
  const file = join(home, "conversation.json");
  await writeFile(file, JSON.stringify(script));
  await ask(home, "PATCH", "/agents/helper", { model: { kind: "scripted", file } });
}

async function install(spec: string): Promise<void> {
  const job = await ask<{ id: string }>(home, "POST", "/jobs", { spec, yes: true });
  for (;;) {
    const { status } = await ask<{ status: string }>(home, "GET", `/jobs/${job.id}`);
    if (status === "done") return;
    if (status === "failed") throw new Error(`${spec} was not installed.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function set(key: string, wanted: Record<string, unknown>): Promise<unknown> {
  return ask(home, "PUT", `/agents/helper/plugins/${key}`, wanted);
}

async function inWindow(
  theme: Theme,
  size: Size,
  take: (page: Page, shoot: (name: string) => Promise<void>) => Promise<void>,
  link = core.link,
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: size.width, height: size.height },
    colorScheme: theme,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto(link);
  await take(page, (name) => photograph(page, name, theme, size));
  await context.close();
}

async function takeAll(page: Page, shoot: (name: string) => Promise<void>): Promise<void> {
  await page.getByText("Failed to start").waitFor();
  await shoot("home");
  await takeMore(page, shoot);
  await takeSetup(home, page, shoot);

  await open(page, "HTTP", "Overview");
  await shoot("plugin");
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Save settings" }).waitFor();
  await shoot("settings");
  await page.getByRole("tab", { name: "Activity" }).click();
  await page.getByRole("heading", { name: "Log" }).waitFor();
  await shoot("activity");
  await page.getByRole("link", { name: "Plugins of Helper" }).click();
  await page.getByRole("heading", { name: "Plugins", exact: true }).waitFor();

  await page.getByRole("button", { name: "Add plugin" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(join(downloads, "calendar"));
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByRole("heading", { name: "Install Calendar?" }).waitFor();
  await shoot("consent");
  await dialog.getByRole("button", { name: "Do not install" }).click();
  await dialog.getByRole("button", { name: "Remove from list" }).click();
  await dialog.waitFor({ state: "hidden" });

  // What the conversation removes has to be there.
  const { workspace } = await ask<{ workspace: string }>(home, "GET", "/agents/helper");
  await mkdir(join(workspace, "build", "old"), { recursive: true });
  await page.getByRole("button", { name: "Conversation", exact: true }).click();
  await page.getByRole("button", { name: "New conversation" }).click();
  await page.getByText("Ask Helper something").waitFor();
  await say(page, "Remove the old build output and tell me what changed.");
  await page.getByRole("button", { name: "Allow once" }).click();
  await page.getByText("nothing to commit").waitFor();
  await say(page, "Is anything large left?");
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  await shoot("conversation");
  await takeSettings(page, shoot);
  await stopTurns();
}

/** Lets go of the question that was left open for the pictures. */
async function stopTurns(): Promise<void> {
  const sessions = await ask<{ id: string }[]>(home, "GET", "/agents/helper/sessions");
  for (const { id } of sessions) await ask(home, "POST", `/agents/helper/sessions/${id}/abort`, {});
}

/** The screens of the whole app: what waits and was decided, the settings, the palette, and a screen in German. */
async function takeSettings(page: Page, shoot: (name: string) => Promise<void>): Promise<void> {
  const goTo = (path: string) =>
    page.evaluate((to) => {
      location.hash = `#${to}`;
    }, path);
  await page.getByRole("button", { name: "Conversation", exact: true }).click();
  await page.getByRole("link", { name: /^Approvals/ }).click();
  await page.locator("summary").first().click();
  await shoot("approvals");
  for (const section of [
    "models",
    "secrets",
    "sources",
    "limits",
    "appearance",
    "safety",
    "diagnostics",
    "about",
  ]) {
    await goTo(`/agents/helper/settings/${section}`);
    await page.locator("#settings-section").waitFor();
    if (section === "diagnostics") {
      await page.getByRole("button", { name: "Gather", exact: true }).click();
      await page.getByRole("button", { name: /^instances\.json/ }).click();
      await page.getByText('"pluginKey": "careful"').first().waitFor();
    }
    await shoot(`settings-${section}`);
  }
  await page.keyboard.press("Control+k");
  await page.keyboard.type("weather");
  await shoot("palette");
  await page.keyboard.press("Escape");
  await ask(home, "PATCH", "/settings", { language: "de" });
  await goTo("/agents/helper/plugins");
  await page.getByText("Start fehlgeschlagen").waitFor();
  await shoot("home-german");
  await ask(home, "PATCH", "/settings", { language: "en" });
  await page.getByText("Failed to start").waitFor();
}

async function open(page: Page, name: string, tab: string): Promise<void> {
  await page.getByRole("article", { name, exact: true }).getByRole("link", { name, exact: true }).click();
  await page.getByRole("tab", { name: tab }).click();
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: /^Message to/ }).fill(text);
  await page.keyboard.press("Enter");
}
