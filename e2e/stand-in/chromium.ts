import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { CdpConnection } from "./cdp.ts";

export interface Chromium {
  connection: CdpConnection;
  /** For a second client: the test itself. */
  webSocketUrl: string;
  kill(): void;
}

const startLimitMs = 30_000;

/** Starts Chromium without a window. It ends with this process: its pipe closes then, however this process dies. */
export async function startChromium(userDataDir: string): Promise<Chromium> {
  const executable = process.env.CHROMIUM_PATH;
  if (!executable) throw new Error("The stand-in needs CHROMIUM_PATH.");
  mkdirSync(userDataDir, { recursive: true });
  const child = spawn(executable, [...flags, `--user-data-dir=${userDataDir}`], {
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
  });
  const webSocketUrl = await endpointOf(child);
  const connection = new CdpConnection(child.stdio[3] as Writable, child.stdio[4] as Readable);
  await connection.refuseForeignPages();
  return { connection, webSocketUrl, kill: () => child.kill("SIGKILL") };
}

function endpointOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = "";
  const timer = setTimeout(() => fail("did not open its DevTools in time"), startLimitMs);
  const fail = (what: string) => {
    clearTimeout(timer);
    reject(new Error(`Chromium ${what}.\n${output}`));
  };
  child.once("error", (error) => fail(`could not be started: ${error.message}`));
  child.once("exit", (code) => fail(`ended with code ${code}`));
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    output = (output + chunk).slice(-10_000);
    const endpoint = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
    if (!endpoint) return;
    clearTimeout(timer);
    resolve(endpoint);
  });
  return promise;
}

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--remote-debugging-pipe",
  "--remote-debugging-port=0",
  "--no-startup-window",
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-extensions",
  "--disable-sync",
  "--disable-backgrounding-occluded-windows",
  "--disable-renderer-backgrounding",
  "--disable-background-timer-throttling",
  // Electron's ports tell a page when their other end has closed; Chromium's do so behind this.
  "--enable-blink-features=MessagePortCloseEvent",
  "--password-store=basic",
  "--use-mock-keychain",
  "--force-color-profile=srgb",
];
