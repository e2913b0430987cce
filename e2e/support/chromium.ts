import { existsSync } from "node:fs";

const known = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** The system's Chromium, if there is one. */
export function findChromium(): string | undefined {
  return known.find((path) => path && existsSync(path));
}

/** @throws Error where there is none */
export function chromiumPath(): string {
  const found = findChromium();
  if (!found) throw new Error("No Chromium was found. Install it, or set CHROMIUM_PATH to its program.");
  return found;
}
