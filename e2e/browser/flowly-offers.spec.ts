import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";

const others = (["macos", "linux", "windows"] as const).filter(
  (system) => ({ macos: "darwin", linux: "linux", windows: "win32" })[system] !== process.platform,
);

test("the card says what goes through a plugin of Flowly, and its page what its code does besides", async ({
  app,
}) => {
  const { page } = app;
  const folder = join(app.home, "listener");
  await mkdir(folder);
  await writeFile(
    join(folder, "plugin.yaml"),
    "name: listener\nversion: 1.0.0\ndescription: Listens.\nprovides_hooks: [pre_llm_call]\n",
  );
  await writeFile(
    join(folder, "__init__.py"),
    `def register(ctx):
    for name in ("pre_" + "llm_call", "pre_gateway_" + "dispatch"):
        ctx.register_hook(name, lambda ctx: None)
`,
  );
  await page.getByRole("button", { name: "Add plugin" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(folder);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("heading", { name: "What goes through it" })).toBeVisible();
  await expect(dialog.getByText("High risk", { exact: true })).toBeVisible();
  await expect(dialog.getByText("Reads every prompt and answer", { exact: false })).toBeVisible();
  await expect(dialog.getByText("Sees every message before the agent", { exact: false })).toHaveCount(0);
  await expectNoViolationsInBoth(page, "risk on the card");
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await dialog.getByRole("button", { name: "Switch on for Helper" }).click();
  await expect(app.card("listener").getByText("Running", { exact: true })).toBeVisible();

  await app.openPlugin("listener", "Overview");
  const main = page.getByRole("main");
  await expect(main.getByText("High risk", { exact: true })).toBeVisible();
  await expect(main.getByText("Its code does this, too, and its files do not say so:")).toBeVisible();
  await expect(main.getByText("Sees every message before the agent", { exact: false })).toBeVisible();
  await expectNoViolationsInBoth(page, "risk on the page");
  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(main.getByText("Hohes Risiko", { exact: true })).toBeVisible();
  await expect(main.getByText("Sieht jede Nachricht vor dem Agenten", { exact: false })).toBeVisible();
});

test("the list of Flowly's marketplace is a catalogue: emoji, tagline, folder, and for which systems", async ({
  app,
}) => {
  const { page } = app;
  const row = (slug: string, more: Record<string, unknown>) => ({
    slug,
    name: slug,
    tagline: `What ${slug} is for.`,
    description: "",
    category: "productivity",
    version: "0.3.0",
    repo: "https://github.com/someone/plugins",
    author: { name: "Someone", url: "https://example.org" },
    emoji: "🌤️",
    subpath: `plugins/${slug}`,
    requires: { external: [], env: [], platforms: [] },
    provides: { tools: ["a", "b"], hooks: [], commands: [], skills: [] },
    ...more,
  });
  const list = JSON.stringify({
    generatedAt: "2026-08-22T00:00:00Z",
    schemaVersion: 1,
    plugins: [
      row("sky-watch", {}),
      row("elsewhere", { requires: { platforms: others }, emoji: "no emoji" }),
      row("climber", { subpath: "../climber" }),
    ],
  });
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json").end(list);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  try {
    const { port } = server.address() as AddressInfo;
    await app.ask("PATCH", "/settings", { catalogUrls: [`http://127.0.0.1:${port}/registry.json`] });
    await page.getByRole("link", { name: "Discover", exact: true }).click();
    const card = (name: string) => page.getByRole("article", { name, exact: true });
    await page.getByRole("searchbox").fill("sky-watch");
    await expect(card("sky-watch")).toContainText("What sky-watch is for.");
    await expect(card("sky-watch")).toContainText("Tools 2");
    await expect(card("sky-watch").locator("img[src^='data:image/svg+xml']")).toBeVisible();
    await page.getByRole("searchbox").fill("elsewhere");
    await expect(card("elsewhere")).toContainText(/For .* and .* only/);
    await card("elsewhere").getByRole("link", { name: "elsewhere" }).click();
    await expect(page.getByRole("note").filter({ hasText: /^For .* and .* only\.$/ })).toBeVisible();
    await expectNoViolationsInBoth(page, "a plugin of the marketplace");
    const { entries } = await app.ask<{ entries: { spec: string; packageName: string }[] }>(
      "GET",
      "/catalog/search?scope=catalogues&query=",
    );
    const specs = Object.fromEntries(entries.map(({ packageName, spec }) => [packageName, spec]));
    expect(specs).toMatchObject({ "sky-watch": "someone/plugins/plugins/sky-watch" });
    expect(specs).not.toHaveProperty("climber");
  } finally {
    server.close();
  }
});
