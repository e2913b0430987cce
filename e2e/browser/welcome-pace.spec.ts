import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { ask, ServedCore } from "../support/core.ts";
import { Pace } from "../support/pace.ts";
import { Surroundings, throughWelcome } from "../support/through-welcome.ts";

test.describe.configure({ timeout: 90_000 });

/** What it may take a person, in seconds. */
const limit = 120;

for (const hand of ["mouse", "keyboard"] as const)
  for (const withModel of [true, false])
    test(`${withModel ? "a model of this computer" : "no model"}, a plugin, and it works in two minutes, by ${hand}`, async ({
      browser,
    }, testInfo) => {
      await using around = await Surroundings.open();
      const home = await mkdtemp(join(tmpdir(), "patchbay-pace-"));
      const core = await ServedCore.start(home, [], around.env(withModel));
      try {
        const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
        await core.openIn(page);
        const pace = new Pace(page, hand);
        await throughWelcome({ page, home, pace, site: around.site, withModel });
        const { presses, tabs, characters } = pace;
        const record = { presses, tabs, characters, seconds: Math.round(pace.seconds()) };
        await testInfo.attach("pace", { body: JSON.stringify(record), contentType: "application/json" });
        testInfo.annotations.push({ type: "pace", description: JSON.stringify(record) });
        // One press for the model, three for the plugin and its host, one to try it, one to end; the mouse also goes to the field.
        expect(presses).toBe(hand === "mouse" ? 7 : 6);
        expect(record.seconds).toBeLessThan(limit);
        expect(await ask(home, "GET", "/agents/helper")).toMatchObject({
          model: withModel ? { kind: "openai-compatible", model: "qwen3:8b" } : { kind: "none" },
        });
      } finally {
        await core.stop();
        await rm(home, { recursive: true, force: true, maxRetries: 5 });
      }
    });

test("saying no to what it asks for leaves nothing installed, and the card as it was", async ({
  browser,
}) => {
  const home = await mkdtemp(join(tmpdir(), "patchbay-pace-"));
  const core = await ServedCore.start(home, [], { OLLAMA_HOST: "127.0.0.1:1" });
  try {
    const page = await browser.newPage();
    await core.openIn(page);
    await page.getByRole("button", { name: "Skip for now" }).click();
    await page.getByRole("button", { name: "Install HTTP" }).click();
    const asks = page.getByRole("region", { name: "Install HTTP?" });
    await asks.getByRole("button", { name: "Do not install" }).click();
    await expect(asks).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Install HTTP" })).toBeVisible();
    expect(await ask(home, "GET", "/plugins")).toEqual([]);
  } finally {
    await core.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
});
