import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type App, expect, test } from "../support/app.ts";
import { tabTo } from "../support/axe.ts";

test.describe.configure({ timeout: 180_000 });

const named = (place: number) => `Plug ${String(place).padStart(2, "0")}`;
const keyed = (place: number) => `plug-${String(place).padStart(2, "0")}`;

/** Plugins `Plug 01` to `Plug n`, all switched on for the helper. */
async function plugIn(app: App, count: number): Promise<void> {
  for (let place = 1; place <= count; place += 1) {
    const folder = join(app.home, "made", keyed(place));
    await mkdir(folder, { recursive: true });
    const manifest = { name: `made-${keyed(place)}`, version: "1.0.0", type: "module", main: "index.js" };
    await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
    await writeFile(
      join(folder, "index.js"),
      `export default { manifestVersion: 1, key: "${keyed(place)}", displayName: "${named(place)}", description: "Does nothing.",
        tools: { namespace: "plug${place}", async start() { return { toolsets: [] }; } } };`,
    );
    await app.install(folder);
    await app.set(keyed(place), { enabled: true });
  }
}

/** How strongly each cable is drawn, by the key of its plugin. */
const strengths = (app: App) =>
  app.page
    .locator("[data-cable-of]")
    .evaluateAll((all) =>
      Object.fromEntries(
        all.map((one) => [one.getAttribute("data-cable-of") ?? "", Number(one.getAttribute("opacity"))]),
      ),
    );

/** The columns in which cables run down, each once. */
const columns = (app: App) =>
  app.page
    .locator("[data-cable-of] path")
    .evaluateAll((all) => [
      ...new Set(all.flatMap((one) => /H\S+Q([\d.]+) /.exec(one.getAttribute("d") ?? "")?.[1] ?? [])),
    ]);

test("more than seven cables keep apart, the rest run together, and the one looked at is lit", async ({
  app,
}) => {
  const { page } = app;
  await plugIn(app, 15);
  await page.setViewportSize({ width: 1280, height: 1800 });
  await expect(page.locator('[data-cable="running"]')).toHaveCount(15);
  const patch = page.locator("[data-agent]");
  await expect(patch.getByText("+8", { exact: true })).toBeVisible();

  const places = (await columns(app)).map(Number).sort((one, other) => one - other);
  expect(places.length).toBeLessThanOrEqual(8);
  for (const [at, x] of places.slice(1).entries()) expect(x - (places[at] ?? 0)).toBeGreaterThan(4);
  expect(new Set(Object.values(await strengths(app)))).toEqual(new Set([1]));

  await app.card(named(9)).hover();
  await expect.poll(async () => (await strengths(app))[keyed(9)]).toBe(1);
  await expect.poll(async () => (await strengths(app))[keyed(3)]).toBeLessThan(0.5);
  await page.mouse.move(0, 0);
  await expect.poll(async () => (await strengths(app))[keyed(3)]).toBe(1);

  await tabTo(page, app.card(named(12)).getByRole("link", { name: named(12), exact: true }));
  await expect.poll(async () => (await strengths(app))[keyed(12)]).toBe(1);
  await expect.poll(async () => (await strengths(app))[keyed(9)]).toBeLessThan(0.5);
});

test("up to seven, each has its own way, and none is counted", async ({ app }) => {
  await plugIn(app, 3);
  await expect(app.page.locator('[data-cable="running"]')).toHaveCount(3);
  await expect(app.page.locator("[data-agent] text")).toHaveCount(0);
  await app.card(named(2)).hover();
  expect(new Set(Object.values(await strengths(app)))).toEqual(new Set([1]));
});
