import { type Browser, chromium, type Page } from "@playwright/test";
import { chromiumPath } from "../../e2e/support/chromium.ts";
import { Trace, traceCategories } from "./trace.ts";

/** A Chromium with one window on the screens, and its tracing. */
export class Window implements AsyncDisposable {
  readonly page: Page;
  readonly #browser: Browser;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.page = page;
  }

  static async open(): Promise<Window> {
    const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    return new Window(browser, await context.newPage());
  }

  /** Records what the page does during `work`. */
  async trace(work: () => Promise<void>): Promise<Trace> {
    await this.#browser.startTracing(this.page, { categories: traceCategories });
    try {
      await work();
    } catch (error) {
      await this.#browser.stopTracing();
      throw error;
    }
    return new Trace(await this.#browser.stopTracing());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}
