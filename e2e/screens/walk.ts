import { cp, mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { ChatServer } from "../../test/support/chat-server.ts";
import { chromiumPath } from "../support/chromium.ts";
import { ask, ServedCore } from "../support/core.ts";
import { takeClosedVaults } from "./closed-vaults.ts";
import { takeConversation } from "./conversation.ts";
import { takeDebug } from "./debug.ts";
import { takeDiscover } from "./discover.ts";
import { takeEmptyHome, takeWelcome } from "./first-start.ts";
import { furnish } from "./furnish.ts";
import { takeInstall } from "./install.ts";
import { takePluginPages } from "./plugin-pages.ts";
import { takeSetup } from "./setup.ts";
import type { InEveryWindow } from "./studio.ts";
import { Team } from "./team.ts";
import { takeTrouble } from "./trouble.ts";
import { takeWholeApp } from "./whole-app.ts";

const plugins = join(import.meta.dirname, "..", "plugins");

/**
 * Walks through every screen of the real app with real plugins, from the first start on, in each window of a studio.
 * Everything lies in a folder of its own: its paths are seen in pictures, in which no path of this machine belongs.
 */
export async function walkScreens(studio: (browser: Browser) => InEveryWindow): Promise<void> {
  const place = join(tmpdir(), "ada");
  const home = join(place, "patchbay");
  const downloads = join(place, "downloads");
  await rm(place, { recursive: true, force: true });
  for (const name of ["calendar", "mailbox"])
    await cp(join(plugins, name), join(downloads, name), { recursive: true });
  await mkdir(home, { recursive: true });
  const team = await Team.open();
  const chat = await ChatServer.open();
  // Nor does the registry that this machine is set to.
  const core = await ServedCore.start(home, [], { npm_config_registry: "https://registry.example.com/" });
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
  try {
    const inEveryWindow = studio(browser);
    await inEveryWindow(core, (page, shoot) => takeWelcome(home, page, shoot));
    await ask(home, "PATCH", "/settings", { welcomeClosed: true });
    await inEveryWindow(core, takeEmptyHome);
    await furnish(home, team, chat);
    await inEveryWindow(core, async (page, shoot) => {
      await page.getByText("Failed to start").waitFor();
      await shoot("home");
      await takeDiscover(page, shoot);
      await takeSetup(home, page, shoot);
      await takePluginPages(home, page, shoot);
      await takeInstall(downloads, page, shoot);
      await takeWholeApp(home, page, shoot);
      await takeConversation(home, page, shoot);
      await takeDebug(page, shoot);
    });
    await takeTrouble(home, core, inEveryWindow);
    await takeClosedVaults(join(place, "locked"), inEveryWindow);
  } finally {
    await browser.close();
    await core.stop();
    chat.close();
    await team[Symbol.asyncDispose]();
    await rm(place, { recursive: true, force: true });
  }
}
