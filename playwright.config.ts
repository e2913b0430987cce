import { defineConfig } from "@playwright/test";
import { findChromium } from "./e2e/support/chromium.ts";

/**
 * Specs directly in `e2e/` are about the screens and run in both shells: in a browser against `patchbay serve`, and in the
 * built desktop app under the stand-in for Electron (which is not Electron; see `e2e/stand-in/README.md`). Those that
 * meet nothing of the shell run in the browser alone, to keep the whole within its time. Those in
 * `e2e/browser/` and `e2e/stand-in/` are about one of the two; those in `e2e/electron/` need the real thing.
 */
const screens = /[\\/]e2e[\\/][^\\/]+\.spec\.ts$/;
const shellFree = new RegExp(
  `[\\\\/](${[
    // What they show is drawn from what the core says, whichever shell brings it.
    "accessibility",
    "agents",
    "approvals",
    "discover",
    "language",
    "matrix",
    "palette",
    "settings",
    "settings-forms",
    "settings-screen",
    "states",
    // What a wizard and a channel meet of the shell, `setup` and `channel` show in both: links, processes, notices.
    "channels",
    "chat-servers",
    "paired-channels",
    "people",
    "plugin-language",
    // `install` and `whole-life` ask for consent, update, roll back and uninstall in both.
    "consent",
    "versions",
    // What the shell does for such a plugin is to start its programs: `stand-in/spawned-host`. Its calls and questions are
    // drawn as those of `approvals` and `conversation`.
    "fledge",
    "flowly",
    "dirge",
    "plugin-keys",
    "effects",
    "mcp-[a-z-]+",
    // Drawn from the record of a turn and from what the core says; `debug-timeline`, `conversation` and its files show Debug in both.
    "debug-(?:context|hooks|pause|replay|tools)",
    "why",
    "models",
    "policies",
    "session-tree",
    "conversation-(?:long|versions|commands)",
  ].join("|")})\\.spec\\.ts$`,
);
const within = (folder: string) => new RegExp(`[\\\\/]e2e[\\\\/]${folder}[\\\\/][^\\\\/]+\\.spec\\.ts$`);

// `npm test` sets it for this process. Patchbay would leave it out, start once more, and say so.
delete process.env.NODE_COMPILE_CACHE;

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results/e2e",
  // Each spec has an app, a home folder and a page of its own, and waits for a third of its time.
  workers: 3,
  forbidOnly: true,
  timeout: 60_000,
  // Machines that run several suites at once are slow; what must be quick says so in its own spec.
  expect: { timeout: 10_000 },
  reporter: [["list"], ["json", { outputFile: "test-results/e2e.json" }]],
  use: {
    launchOptions: { executablePath: findChromium(), args: ["--no-sandbox"] },
    screenshot: "only-on-failure",
  },
  projects: [
    { name: "browser", testMatch: [screens, within("browser")] },
    { name: "stand-in", testMatch: [screens, within("stand-in")], testIgnore: shellFree },
    { name: "electron", testMatch: within("electron") },
  ],
});
