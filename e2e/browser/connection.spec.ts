import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import { App, pluginFolder } from "../support/app.ts";
import { ServedCore } from "../support/core.ts";

/** A core that the spec itself stops and starts, and the page that it served. */
const test = base.extend<{ home: string }>({
  home: async ({ baseURL: _ }, use) => {
    const home = await mkdtemp(join(tmpdir(), "patchbay-connection-"));
    await use(home);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  },
});

test("a core that ends is missed within a second; its successor is reached by its own link", async ({
  page,
  home,
}) => {
  let core = await ServedCore.start(home);
  try {
    await page.goto(core.link);
    const app = new App(page, home);
    await app.closeWelcome();
    await app.install(pluginFolder.mailbox);
    await app.set("mailbox", { enabled: true });
    await expect(app.card("Mailbox").getByText("Running", { exact: true })).toBeVisible();

    await core.kill();
    await expect(page.getByRole("alert")).toContainText("Reconnecting…", { timeout: 1_000 });
    await expect(page.locator("[data-connection]")).toHaveAttribute("data-connection", "lost");
    await expect(page.getByRole("main")).toHaveAttribute("aria-busy", "true");
    await app.card("Mailbox").getByRole("switch").click();
    await expect(app.card("Mailbox")).toContainText("The connection to Patchbay was lost");
    await expect(app.card("Mailbox").getByRole("switch")).toBeChecked();

    core = await ServedCore.start(home, core.port);
    await expect(page.getByRole("alert").first()).toContainText("Patchbay was started again", {
      timeout: 10_000,
    });
    await page.goto(core.link);
    await expect(page.locator("[data-connection]")).toHaveAttribute("data-connection", "live");
    await expect(app.card("Mailbox").getByText("Running", { exact: true })).toBeVisible();
  } finally {
    await core.stop();
  }
});

test("a connection that is silent is shown as lost, and heals by itself with what was missed", async ({
  page,
  home,
}) => {
  const core = await ServedCore.start(home);
  try {
    await page.goto(core.link);
    const app = new App(page, home);
    await app.closeWelcome();
    await app.install(pluginFolder.mailbox);
    await expect(app.card("Mailbox").getByText("Off", { exact: true })).toBeVisible();
    core.pause();
    await expect(page.getByRole("alert")).toContainText("Reconnecting…", { timeout: 15_000 });
    core.resume();
    await app.set("mailbox", { enabled: true, config: { channel: { address: "later@example.com" } } });
    await expect(page.locator("[data-connection]")).toHaveAttribute("data-connection", "live", {
      timeout: 15_000,
    });
    await expect(app.card("Mailbox").getByText(/later@example.com/)).toBeVisible();
    await expect(page.getByRole("alert")).toBeHidden();
    await app.card("Mailbox").getByRole("switch").click();
    await expect(app.card("Mailbox").getByText("Off", { exact: true })).toBeVisible();
  } finally {
    core.resume();
    await core.stop();
  }
});

test("a page without its link says what to do, and a token never stays in the address", async ({
  page,
  home,
}) => {
  const core = await ServedCore.start(home);
  try {
    await page.goto(new URL("/", core.link).href);
    await expect(page.getByRole("heading", { name: "This page needs its own link" })).toBeVisible();
    await page.goto("about:blank");
    await page.goto(core.link.replace(/token=.*/, "token=wrong"));
    await expect(page.getByRole("heading", { name: "This page needs its own link" })).toBeVisible();
    await page.goto("about:blank");
    await page.goto(core.link);
    await expect(page.getByRole("heading", { name: "Welcome to Patchbay" })).toBeVisible();
    expect(page.url()).not.toContain("token");
    await page.reload();
    await expect(page.getByRole("heading", { name: "Welcome to Patchbay" })).toBeVisible();
  } finally {
    await core.stop();
  }
});
