import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { launchStandIn } from "../stand-in/launch.ts";
import { ask, ServedCore } from "./core.ts";

export type ShellKind = "browser" | "stand-in";

/** The app as a person has it before them, in one of its shells. */
export interface OpenShell {
  page: Page;
  close(): Promise<void>;
}

interface ShellOptions extends BrowserContextOptions {
  /** Whether its page begins with the welcome of the first start, which otherwise is closed. */
  welcome: boolean;
}

/** Opens the app on a home folder of its own and waits for its page. @param browser the browser of the test worker */
export function openShell(
  kind: ShellKind,
  home: string,
  browser: Browser,
  options: ShellOptions,
): Promise<OpenShell> {
  return kind === "browser" ? openBrowserShell(home, browser, options) : openStandIn(home, options);
}

async function openBrowserShell(
  home: string,
  browser: Browser,
  { welcome, ...options }: ShellOptions,
): Promise<OpenShell> {
  const core = await ServedCore.start(home);
  // Before the page is there, which need not draw it then.
  if (!welcome) await closeWelcome(home);
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

/** Closes the welcome of the first start, as a person does who does not want it. */
export function closeWelcome(home: string): Promise<unknown> {
  return ask(home, "PATCH", "/settings", { welcomeClosed: true });
}

async function openStandIn(home: string, { welcome }: ShellOptions): Promise<OpenShell> {
  const app = await launchStandIn({ home });
  if (!welcome) await closeWelcome(home);
  return {
    page: app.page,
    async close() {
      await app.close();
    },
  };
}
