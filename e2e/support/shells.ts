import { type BrowserContextOptions, chromium, type Page } from "@playwright/test";
import { launchStandIn } from "../stand-in/launch.ts";
import { chromiumPath } from "./chromium.ts";
import { ServedCore } from "./core.ts";

export type ShellKind = "browser" | "stand-in";

/** The app as a person has it before them, in one of its shells. */
export interface OpenShell {
  page: Page;
  close(): Promise<void>;
}

/** Opens the app on a home folder of its own and waits for its page. */
export function openShell(
  kind: ShellKind,
  home: string,
  options: BrowserContextOptions = {},
): Promise<OpenShell> {
  return kind === "browser" ? openBrowserShell(home, options) : openStandIn(home);
}

async function openBrowserShell(home: string, options: BrowserContextOptions): Promise<OpenShell> {
  const core = await ServedCore.start(home);
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  await page.goto(core.link);
  return {
    page,
    async close() {
      await browser.close();
      await core.stop();
    },
  };
}

async function openStandIn(home: string): Promise<OpenShell> {
  const app = await launchStandIn({ home });
  return {
    page: app.page,
    async close() {
      await app.close();
    },
  };
}
