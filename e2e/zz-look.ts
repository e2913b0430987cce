import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { chromiumPath } from "./support/chromium.ts";
import { ask, ServedCore } from "./support/core.ts";

const root = join(import.meta.dirname, "..");
const home = await mkdtemp("/tmp/look-");
const out = "/tmp/look-3b";
await mkdir(out, { recursive: true });
const core = await ServedCore.start(home);
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
const lang = process.argv[2] ?? "en";
try {
  for (const p of ["careful", "weather", "mailbox"]) {
    const job = await ask<{ id: string }>(home, "POST", "/jobs", {
      spec: join(root, "e2e/plugins", p),
      yes: true,
    });
    for (;;) {
      const { status } = await ask<{ status: string }>(home, "GET", `/jobs/${job.id}`);
      if (status === "done") break;
      await new Promise((r) => setTimeout(r, 50));
    }
    await ask(home, "PUT", `/agents/helper/plugins/${p}`, { enabled: true });
  }
  await ask(home, "PUT", "/secrets/OPENAI_API_KEY", { value: "sk-123" });
  await ask(home, "PUT", "/secrets/WEATHER_TOKEN", { value: "sk-1234", agentId: "helper" });
  await ask(home, "PATCH", "/settings", {
    catalogUrls: ["https://plugins.example.org/catalogue.json"],
    language: lang,
  });
  const file = join(home, "s.json");
  await writeFile(
    file,
    JSON.stringify([
      { say: "Look", call: { tool: "shell", input: { command: "rm -rf build" } } },
      { say: "Done" },
      { say: "x", call: { tool: "shell", input: { command: "du -sh * | sort -h" } } },
      { say: "ok" },
      { say: "y", call: { tool: "write_file", input: { path: "a.txt", text: "hello\nworld" } } },
      { say: "ok" },
    ]),
  );
  await ask(home, "PATCH", "/agents/helper", { model: { kind: "scripted", file } });
  const gw = core.link;
  const prompt = () => {
    void ask(home, "POST", "/agents/helper/prompt", { text: "go" }).catch(() => {});
  };
  const waiting = async () => {
    for (;;) {
      const l = await ask<{ id: string; status: string }[]>(home, "GET", "/approvals");
      const w = l.find((a) => a.status === "waiting");
      if (w) return w.id;
      await new Promise((r) => setTimeout(r, 50));
    }
  };
  const S = await ask<{ id: string }>(home, "POST", "/agents/helper/sessions", {});
  const go = () => {
    void ask(home, "POST", "/agents/helper/prompt", { text: "go", sessionId: S.id }).catch(() => {});
  };
  go();
  await ask(home, "POST", `/approvals/${await waiting()}/decide`, {
    answer: { decision: "allow", scope: "session" },
  });
  await new Promise((r) => setTimeout(r, 800));
  void prompt;
  prompt();
  await ask(home, "POST", `/approvals/${await waiting()}/decide`, {
    answer: { decision: "deny", reason: "Not in this folder" },
  });
  await new Promise((r) => setTimeout(r, 500));
  go();
  await new Promise((r) => setTimeout(r, 900));
  prompt();
  await waiting();
  for (const theme of ["light", "dark"] as const)
    for (const [n, w, h] of [
      ["", 1280, 800],
      ["-wide", 1920, 1080],
    ] as const) {
      if (n && theme === "dark") continue;
      const ctx = await browser.newContext({
        viewport: { width: w, height: h },
        colorScheme: theme,
        reducedMotion: "reduce",
        locale: lang,
      });
      const page = await ctx.newPage();
      page.on("pageerror", (e) => console.log("ERR", e.message));
      page.on("console", (m) => m.type() === "error" && console.log("CON", m.text()));
      await page.goto(gw);
      await page.locator("h1").first().waitFor();
      const base = gw.split("#")[0];
      const shot = async (name: string) => {
        await page.waitForTimeout(500);
        await page.screenshot({ path: `${out}/${name}-${lang}-${theme}${n}.png` });
      };
      await page.evaluate(() => {
        location.hash = "#/agents/helper/approvals";
      });
      await page.waitForTimeout(600);
      await page.locator("details summary").first().click();
      await shot("approvals");
      for (const s of ["models", "secrets", "sources", "limits", "appearance", "safety", "about"]) {
        await page.evaluate((x) => {
          location.hash = `#/agents/helper/settings/${x}`;
        }, s);
        await page.waitForTimeout(300);
        await shot(s);
      }
      await page.keyboard.press("Control+k");
      await page.waitForTimeout(300);
      await page.keyboard.type("wea");
      await shot("palette");
      await page.keyboard.press("Escape");
      await page.evaluate(() => {
        location.hash = "#/agents/nobody/plugins";
      });
      await shot("unknown");
      await ctx.close();
      void base;
    }
} finally {
  await browser.close();
  await core.stop();
  await rm(home, { recursive: true, force: true });
}
