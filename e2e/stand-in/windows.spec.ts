import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, expect } from "@playwright/test";
import { ask } from "../support/core.ts";
import { expectScreen, test } from "./desktop.ts";
import { launchStandIn } from "./launch.ts";

test.describe("the window of the desktop app", () => {
  test("is isolated, sandboxed, and shown once its page is there", async ({ desktop }) => {
    const { windows, sandboxEnforced } = await desktop.recorded();
    expect(windows).toHaveLength(1);
    expect(windows[0]).toMatchObject({
      visible: true,
      webPreferences: {
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInSubFrames: false,
        nodeIntegrationInWorker: false,
        webviewTag: false,
        webSecurity: true,
      },
    });
    expect(sandboxEnforced).toBe(true);
  });

  test("stays on Patchbay; a secure link opens in the person's browser", async ({ desktop }) => {
    const { page } = desktop;
    const before = page.url();
    for (const url of ["https://example.com/a", "http://192.0.2.7/b", "data:text/html,hello"]) {
      await page.evaluate((address) => {
        location.href = address;
      }, url);
    }
    await expect.poll(async () => (await desktop.recorded()).opened).toEqual(["https://example.com/a"]);
    expect(page.url()).toBe(before);
    await expectScreen(page);
  });

  test("opens no second window; a secure link opens in the person's browser", async ({ desktop }) => {
    const { page } = desktop;
    await page.evaluate(() => {
      window.open("https://example.com/c");
      window.open("http://example.com/d");
      const link = Object.assign(document.createElement("a"), {
        href: "https://example.com/e",
        target: "_blank",
      });
      document.body.append(link);
      link.click();
    });
    await expect
      .poll(async () => (await desktop.recorded()).opened)
      .toEqual(["https://example.com/c", "https://example.com/e"]);
    expect((await desktop.recorded()).windows).toHaveLength(1);
    await expect.poll(() => page.context().pages().length).toBe(1);
  });

  test("takes its first colour from the theme of the system, or from the one that the person chose", async ({
    desktop,
    home,
  }) => {
    const colour = async () => (await desktop.recorded()).windows[0]?.backgroundColor;
    expect(await colour()).toBe("#f5f2eb");
    await desktop.setTheme("dark");
    expect(await colour()).toBe("#14120e");
    await ask(home, "PATCH", "/settings", { theme: "light" });
    await expect.poll(colour).toBe("#f5f2eb");
  });

  test("opens where it was left", async ({ home }) => {
    const bounds = { x: 40, y: 50, width: 900, height: 650, maximized: false };
    writeFileSync(join(home, "window.json"), JSON.stringify(bounds));
    const desktop = await launchStandIn({ home });
    expect((await desktop.recorded()).windows[0]?.bounds).toEqual({ x: 40, y: 50, width: 900, height: 650 });
    await desktop.close();
    expect(JSON.parse(readFileSync(join(home, "window.json"), "utf8"))).toEqual(bounds);
  });

  test("loads its page again when that has crashed", async ({ desktop }) => {
    const session = await desktop.page.context().newCDPSession(desktop.page);
    const crashed = desktop.page.waitForEvent("crash");
    await session.send("Page.crash").catch(() => {});
    await crashed;
    // A crashed page is over for its old client; the window has a new one.
    const { webSocketUrl } = await desktop.recorded();
    const browser = await chromium.connectOverCDP(webSocketUrl ?? "");
    const page = browser.contexts()[0]?.pages()[0];
    if (page) await expectScreen(page);
    expect(page?.url()).toMatch(/#\/agents\/helper\/plugins$/);
    await browser.close();
  });
});
