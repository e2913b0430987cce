import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { _electron, type ElectronApplication, expect, type Page, test } from "@playwright/test";
import { electronProgram } from "./binary.ts";

const root = join(import.meta.dirname, "..", "..");
const program = electronProgram();

test.describe(program ? "in Electron" : "skipped: no Electron binary here", () => {
  test.skip(!program, "no Electron binary here");

  let home: string;
  let app: ElectronApplication;
  let page: Page;

  test.beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), "patchbay-"));
    app = await _electron.launch({ executablePath: program, args: [root], cwd: root, env: environment() });
    page = await app.firstWindow();
    await page.waitForLoadState("domcontentloaded");
  });

  test.afterEach(async () => {
    await app.close();
    rmSync(home, { recursive: true, force: true });
  });

  test("the window opens on Patchbay's own address and shows the plugins", async () => {
    expect(page.url()).toMatch(/^app:\/\/patchbay\//);
    await expect(page.getByRole("navigation").getByText("Plugins")).toBeVisible();
    await expect
      .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()))
      .toBe(true);
  });

  test("the page has no Node and nothing of Electron but the mark of the desktop shell", async () => {
    const found = await page.evaluate(() => ({
      require: typeof Reflect.get(window, "require"),
      process: typeof Reflect.get(window, "process"),
      electron: typeof Reflect.get(window, "electron"),
      desktop: Reflect.get(window, "patchbayDesktop"),
    }));
    expect(found).toEqual({
      require: "undefined",
      process: "undefined",
      electron: "undefined",
      desktop: true,
    });
  });

  test("the window is isolated and sandboxed", async () => {
    const preferences = await app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      // Known at run time, absent from Electron's published types.
      const read = contents && Reflect.get(contents, "getLastWebPreferences");
      return typeof read === "function" ? read.call(contents) : undefined;
    });
    expect(preferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      webSecurity: true,
    });
  });

  test("a page gets one port each time it asks, and works again after it was loaded again", async () => {
    const counts = await page.evaluate(async () => {
      const { promise, resolve } = Promise.withResolvers<number>();
      window.addEventListener("message", ({ data, ports }) => {
        if (data === "patchbay:port") resolve(ports.length);
      });
      window.postMessage("patchbay:ready", location.origin);
      return promise;
    });
    expect(counts).toBe(1);
    await page.reload();
    await expect(page.getByRole("navigation").getByText("Plugins")).toBeVisible();
  });

  test("an inline script does not run", async () => {
    const ran = await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.inlineRan = true";
      document.body.append(script);
      return Reflect.get(window, "inlineRan") === true;
    });
    expect(ran).toBe(false);
  });

  test("navigation away and new windows are refused", async () => {
    await app.evaluate(({ shell }) => {
      shell.openExternal = async () => {};
    });
    const before = page.url();
    expect(await page.evaluate(() => window.open("https://example.com/"))).toBeNull();
    await page.evaluate(() => {
      location.href = "https://example.com/";
    });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(page.url()).toBe(before);
    expect(app.windows()).toHaveLength(1);
  });

  test("a second start hands its link to the first and ends", async () => {
    const second = spawn(program ?? "", [root, "patchbay://agents/elsewhere"], {
      env: environment(),
      stdio: "ignore",
    });
    const [code] = await once(second, "exit");
    expect(code).toBe(0);
    await expect
      .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length))
      .toBe(1);
    expect(app.windows()).toHaveLength(1);
  });

  function environment(): Record<string, string> {
    return { ...(process.env as Record<string, string>), PATCHBAY_HOME: home };
  }
});
