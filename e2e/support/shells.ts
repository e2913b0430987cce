import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { launchStandIn } from "../stand-in/launch.ts";
import { ServedCore } from "./core.ts";

export type ShellKind = "browser" | "stand-in";

/** The app as a person has it before them, in one of its shells. */
export interface OpenShell {
  page: Page;
  close(): Promise<void>;
}

/** Opens the app on a home folder of its own and waits for its page. @param browser the browser of the test worker */
export function openShell(
  kind: ShellKind,
  home: string,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<OpenShell> {
  return kind === "browser" ? openBrowserShell(home, browser, options) : openStandIn(home);
}

async function openBrowserShell(
  home: string,
  browser: Browser,
  options: BrowserContextOptions,
): Promise<OpenShell> {
  const core = await ServedCore.start(home);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  await core.openIn(page);
  return {
    page,
    async close() {
      await context.close();
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
