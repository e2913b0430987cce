import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { ask } from "./core.ts";
import { closeWelcome, openShell, type ShellKind } from "./shells.ts";

const root = join(import.meta.dirname, "..", "..");

/** Folders of real plugins: those made for the screens first, then those of the other tests. */
export const pluginFolder = {
  weather: join(root, "e2e", "plugins", "weather"),
  mailbox: join(root, "e2e", "plugins", "mailbox"),
  careful: join(root, "e2e", "plugins", "careful"),
  forge: join(root, "e2e", "plugins", "forge"),
  nudge: join(root, "e2e", "plugins", "nudge"),
  courier: join(root, "e2e", "plugins", "courier"),
  narrower: join(root, "e2e", "plugins", "narrower"),
  guard: join(root, "e2e", "plugins", "guard"),
  brittle: join(root, "e2e", "plugins", "brittle"),
  asking: join(root, "e2e", "plugins", "asking"),
  odd: join(root, "test", "fixtures", "plugins", "odd"),
  postbox: join(root, "e2e", "plugins", "postbox"),
  flowlyParcels: join(root, "test", "fixtures", "flowly", "parcels"),
  dirge: join(root, "test", "fixtures", "dirge", "plugins"),
  explorer: join(root, "e2e", "plugins", "explorer"),
  echo: join(root, "test", "fixtures", "plugins", "echo"),
  misfit: join(root, "test", "fixtures", "plugins", "misfit"),
  sieve: join(root, "test", "fixtures", "plugins", "sieve"),
  keyed: join(root, "test", "fixtures", "plugins", "keyed"),
  effects: join(root, "test", "fixtures", "plugins", "effects"),
  everyField: join(root, "test", "fixtures", "plugins", "every-field"),
} as const;

/** The app on an empty home, with short cuts for setting up what a spec is not about. */
export class App {
  readonly page: Page;
  readonly home: string;

  constructor(page: Page, home: string) {
    this.page = page;
    this.home = home;
  }

  ask<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    return ask<T>(this.home, method, path, body);
  }

  /** Installs a plugin with consent given in advance, and waits for the end of the job. */
  async install(spec: string): Promise<void> {
    const job = await this.ask<{ id: string }>("POST", "/jobs", { spec, yes: true });
    await expect
      .poll(async () => (await this.ask<{ status: string }>("GET", `/jobs/${job.id}`)).status, {
        intervals: [50, 50, 100],
      })
      .toBe("done");
  }

  /** Specs of other screens begin behind the welcome of the first start. */
  closeWelcome(): Promise<unknown> {
    return closeWelcome(this.home);
  }

  set(key: string, wanted: Record<string, unknown>, agent = "helper"): Promise<unknown> {
    return this.ask("PUT", `/agents/${agent}/plugins/${key}`, wanted);
  }

  /** Gives an agent a scripted model with these steps. */
  async script(steps: unknown[], agent = "helper"): Promise<void> {
    const file = join(this.home, `script-${agent}.json`);
    await writeFile(file, JSON.stringify(steps));
    await this.ask("PATCH", `/agents/${agent}`, { model: { kind: "scripted", file } });
  }

  /** Goes to a screen by the path of its route. */
  async goTo(path: string): Promise<void> {
    await this.page.evaluate((to) => {
      location.hash = `#${to}`;
    }, path);
  }

  /** The card of a plugin in the list. */
  card(name: string): Locator {
    return this.page.getByRole("article", { name, exact: true });
  }

  /** Opens a page of the plugin by its tab. */
  async openPlugin(
    name: string,
    tab: "Overview" | "Settings" | "Setup" | "Activity" | "Versions",
  ): Promise<void> {
    await this.card(name).getByRole("link", { name, exact: true }).click();
    await this.page.getByRole("tab", { name: tab }).click();
  }

  /** Presses "Uninstall" on the plugin's page; the question that is asked then. */
  async askToUninstall(name: string): Promise<Locator> {
    await this.openPlugin(name, "Versions");
    await this.page.getByRole("button", { name: "Uninstall" }).click();
    return this.page.getByRole("dialog", { name: `Uninstall ${name}?` });
  }

  async openConversation(): Promise<Locator> {
    await this.page.getByRole("button", { name: "Conversation", exact: true }).click();
    return this.page.getByRole("complementary", { name: /^Talk to/ });
  }

  async send(text: string): Promise<void> {
    const box = this.page.getByRole("textbox", { name: /^Message to/ });
    await box.fill(text);
    // While the turn before is not over, Enter leaves the text where it is.
    await expect(this.page.locator("form", { has: box }).locator("button[type=submit]")).toBeEnabled();
    await this.page.keyboard.press("Enter");
  }
}

interface Fixtures {
  app: App;
  /** Errors that the page has logged; a spec fails when there are any. */
  complaints: string[];
  /** True shows the welcome of the first start, which is closed for other specs. */
  welcome: boolean;
}

export const test = base.extend<Fixtures>({
  welcome: [false, { option: true }],
  complaints: [
    async ({ app }, use) => {
      const complaints: string[] = [];
      app.page.on("pageerror", (error) => complaints.push(String(error)));
      app.page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
  app: async ({ browser, colorScheme, welcome }, use, testInfo) => {
    const home = await mkdtemp(join(tmpdir(), "patchbay-e2e-"));
    const kind: ShellKind = testInfo.project.name === "stand-in" ? "stand-in" : "browser";
    const shell = await openShell(kind, home, browser, { colorScheme, welcome });
    try {
      const app = new App(shell.page, home);
      const heading = welcome ? "Welcome to Patchbay" : "Plugins";
      await expect(shell.page.getByRole("heading", { name: heading, exact: true })).toBeVisible();
      await use(app);
    } finally {
      await shell.close();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    }
  },
});

export { expect };
