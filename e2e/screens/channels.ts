/** The setup of each channel as a person sees it, against local servers of the platforms. Part `channels` of run.ts. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { chromiumPath } from "../support/chromium.ts";
import { ask, ServedCore } from "../support/core.ts";
import { type ChannelWizard, channelSetups } from "./channel-setups.ts";
import { photograph, type Theme, themes, usual, wide } from "./photograph.ts";

const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
try {
  for (const theme of themes) await takeChannels(browser, theme);
} finally {
  await browser.close();
}

async function takeChannels(browser: Browser, theme: Theme): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "patchbay-pictures-"));
  const core = await ServedCore.start(home);
  const closers: (() => Promise<void>)[] = [];
  try {
    await furnish(home);
    const context = await browser.newContext({
      viewport: usual,
      colorScheme: theme,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await core.openIn(page);
    for (const { key, name, take } of channelSetups) {
      await page.getByRole("article", { name, exact: true }).getByRole("switch").click();
      const dialog = page.locator("[data-setup]");
      const wizard: ChannelWizard = {
        dialog,
        heading: (text) => dialog.getByRole("heading", { name: text, exact: true }).waitFor(),
        press: (label) => dialog.getByRole("button", { name: label }).click(),
        fill: async (values) => {
          const folded = dialog.locator("details:not([open]) > summary", { hasText: "Advanced" });
          if ((await folded.count()) > 0) await folded.click();
          for (const [label, value] of Object.entries(values))
            await dialog.getByLabel(label).first().fill(value);
          await dialog.getByRole("button", { name: "Continue" }).click();
        },
        shoot: (step) => photograph(page, `channel-${key}-${step}`, theme, usual),
      };
      closers.push(await take(wizard));
      await wizard.heading(`${name} is connected`);
      await shootWide(page, `channel-${key}-connected`, theme);
      await wizard.press("Done");
    }
    await page
      .getByText("Connected as")
      .nth(channelSetups.length - 1)
      .waitFor();
    await shootWide(page, "channels", theme);
    await context.close();
  } finally {
    await core.stop();
    for (const close of closers) await close();
    await rm(home, { recursive: true, force: true });
  }
}

/** All seven installed, and an agent that answers. */
async function furnish(home: string): Promise<void> {
  await ask(home, "PATCH", "/settings", { welcomeClosed: true });
  const file = join(home, "conversation.json");
  await writeFile(file, JSON.stringify([{ say: "Yes, I am here." }]));
  await ask(home, "PATCH", "/agents/helper", { model: { kind: "scripted", file } });
  for (const { key } of channelSetups) {
    const job = await ask<{ id: string }>(home, "POST", "/jobs", { spec: `builtin:${key}`, yes: true });
    for (let status = ""; status !== "done"; await new Promise((resolve) => setTimeout(resolve, 50))) {
      ({ status } = await ask<{ status: string }>(home, "GET", `/jobs/${job.id}`));
      if (status === "failed") throw new Error(`${key} was not installed.`);
    }
  }
}

async function shootWide(page: Page, name: string, theme: Theme): Promise<void> {
  await photograph(page, name, theme, usual);
  await page.setViewportSize(wide);
  await photograph(page, name, theme, wide);
  await page.setViewportSize(usual);
}
