import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { chromiumPath } from "../support/chromium.ts";
import { fromChromiumUrl } from "./addresses.ts";
import type { Recorded } from "./recorder.ts";

const root = join(import.meta.dirname, "..", "..");
const register = new URL("./register.ts", import.meta.url).href;

/** Until the window of a slow machine must have opened. */
const windowLimitMs = 40_000;

interface StartOptions {
  home: string;
  /** Arguments of the start, a `patchbay://` link for example. */
  args?: string[];
  env?: Record<string, string>;
  /** Another main bundle than the built one. */
  main?: string;
}

interface Exit {
  code: number | null;
  signal: string | null;
}

/** Starts the built desktop app under the stand-in and waits for its window. */
export async function launchStandIn(options: StartOptions): Promise<StandIn> {
  const standIn = startStandIn(options);
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`It took longer than ${windowLimitMs} ms.`)),
    windowLimitMs,
  );
  try {
    await Promise.race([standIn.openPage(), late]);
    return standIn;
  } catch (error) {
    await standIn.kill();
    throw new Error(`The desktop app opened no window.\n${standIn.output}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Starts it without waiting for anything: a second start opens no window. */
export function startStandIn(options: StartOptions): StandIn {
  const main = options.main ?? join(root, "out", "main", "index.js");
  const child = spawn(process.execPath, ["--import", register, main, ...(options.args ?? [])], {
    cwd: root,
    env: {
      ...process.env,
      // What `bin/patchbay` does for the same files.
      NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled"),
      PATCHBAY_HOME: options.home,
      CHROMIUM_PATH: chromiumPath(),
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  return new StandIn(child);
}

/** A running desktop app under the stand-in, and what a person could do to it outside of its page. */
export class StandIn {
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, PromiseWithResolvers<Recorded>>();
  #lastId = 0;
  #output = "";
  #browser: Browser | undefined;
  #page: Page | undefined;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.on("data", (chunk) => (this.#output += chunk));
    child.stderr?.on("data", (chunk) => (this.#output += chunk));
    this.exited = once(child, "exit").then(([code, signal]) => ({ code, signal }));
    void this.exited.then(() => {
      for (const { reject } of this.#pending.values())
        reject(new Error(`The app has ended.\n${this.#output}`));
      this.#pending.clear();
    });
    child.on("message", (answer: { id: number; recorded: Recorded; error?: string; asks?: string[] }) => {
      if (answer.asks) return this.#agree(answer.asks);
      const pending = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      if (answer.error !== undefined) pending?.reject(new Error(answer.error));
      else pending?.resolve(answer.recorded);
    });
  }

  get page(): Page {
    if (!this.#page) throw new Error("The app has no window.");
    return this.#page;
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** All that the app has printed. */
  get output(): string {
    return this.#output;
  }

  recorded(): Promise<Recorded> {
    return this.#ask("inspect");
  }
  clickMenu(...labels: string[]): Promise<Recorded> {
    return this.#ask("clickMenu", ...labels);
  }
  /** Without labels: a click on the icon itself. */
  clickTray(...labels: string[]): Promise<Recorded> {
    return this.#ask("clickTray", ...labels);
  }
  openLink(url: string): Promise<Recorded> {
    return this.#ask("openLink", url);
  }
  /** Changes the theme of the system. */
  setTheme(theme: "light" | "dark"): Promise<Recorded> {
    return this.#ask("setTheme", theme);
  }
  /** Presses a button of the dialog that is open. */
  pressButton(label: string): Promise<Recorded> {
    return this.#ask("pressButton", label);
  }
  /** Points at a file or folder in the dialog that is open; without a path, closes it. */
  choosePath(path = ""): Promise<Recorded> {
    return this.#ask("choosePath", path);
  }
  /** Drops a file or folder of this machine on the window. */
  drop(path: string): Promise<Recorded> {
    return this.#ask("drop", path);
  }
  /** Turns to another app. */
  lookAway(): Promise<Recorded> {
    return this.#ask("lookAway");
  }
  clickNotification(): Promise<Recorded> {
    return this.#ask("clickNotification");
  }

  /** Says yes to the question whether it is the person who wants something; leaves other dialogs alone. */
  #agree(buttons: string[]): void {
    const yes = buttons.find((label) => label === "Go on" || label === "Weiter");
    if (yes !== undefined) this.pressButton(yes).catch(() => {});
  }

  /** Quits as a person does and waits for the end. */
  async close(): Promise<Exit> {
    await this.#ask("quit").catch(() => {});
    return this.#end();
  }

  /** Ends the app's process without warning. */
  async kill(): Promise<Exit> {
    this.#child.kill("SIGKILL");
    return this.#end();
  }

  /** Waits for the window's page; also for that of a window opened later. */
  async openPage(): Promise<Page> {
    const { webSocketUrl } = await this.#ask("awaitWindow");
    if (!webSocketUrl) throw new Error("The stand-in has not started its Chromium.");
    this.#browser ??= await chromium.connectOverCDP(webSocketUrl);
    const context = this.#browser.contexts()[0];
    if (!context) throw new Error("Chromium has no context.");
    this.#page = context.pages()[0] ?? (await context.waitForEvent("page"));
    await this.#page.waitForURL((url) => fromChromiumUrl(url.href).startsWith("app://"));
    return this.#page;
  }

  async #end(): Promise<Exit> {
    const exit = await this.exited;
    await this.#browser?.close().catch(() => {});
    return exit;
  }

  #ask(gesture: string, ...args: string[]): Promise<Recorded> {
    if (this.#child.exitCode !== null || !this.#child.connected)
      return Promise.reject(new Error(`The app has ended.\n${this.#output}`));
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<Recorded>();
    this.#pending.set(id, answer);
    this.#child.send({ id, gesture, args });
    return answer.promise;
  }
}
