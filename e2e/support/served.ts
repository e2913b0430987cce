import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base } from "@playwright/test";
import { App } from "./app.ts";
import { confirmAsPerson } from "./confirm.ts";
import { ServedCore } from "./core.ts";

interface ServedFixtures {
  home: string;
  /** The person's home folder as the core is told it; undefined leaves it as it is. */
  userHome: string | undefined;
  app: App;
  /** Starts `patchbay serve` on the spec's home folder, with further options. What still runs is stopped at the end. */
  serve(...options: string[]): Promise<ServedCore>;
  /** The same, with its page open behind the welcome of the first start. */
  serveOpen(): Promise<ServedCore>;
}

/** For specs that stop, kill and start the core themselves. */
export const test = base.extend<ServedFixtures>({
  home: async ({ baseURL: _ }, use) => {
    const home = await mkdtemp(join(tmpdir(), "patchbay-served-"));
    await use(home);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  },
  app: ({ page, home }, use) => use(new App(page, home)),
  userHome: undefined,
  serve: async ({ home, userHome, page }, use) => {
    const env: Record<string, string> =
      userHome === undefined ? {} : { HOME: userHome, USERPROFILE: userHome };
    const cores: ServedCore[] = [];
    await use(async (...options) => {
      const core = await ServedCore.start(home, options, env);
      cores.push(core);
      await confirmAsPerson(page, core.codes);
      return core;
    });
    for (const core of cores) {
      core.resume();
      await core.stop();
    }
  },
  serveOpen: async ({ app, page, serve }, use) => {
    await use(async () => {
      const core = await serve();
      await app.closeWelcome();
      await page.goto(core.link);
      return core;
    });
  },
});

export { expect } from "@playwright/test";
