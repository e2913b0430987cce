import type { Page } from "@playwright/test";
import { settingsSections } from "../../src/contract/links.ts";
import { writePlugin } from "../../test/support/fixture-plugin.ts";
import type { App } from "../support/app.ts";
import { expectNoViolations } from "../support/axe.ts";
import { expectRoom } from "../support/room.ts";
import { expect, test } from "../support/served.ts";

const sizes = [
  { width: 640, height: 480 },
  { width: 1000, height: 700 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];
const longName = "A weather service with a name that nobody would have thought up in one go";

/** An agent with plugins of short and long names. */
async function furnish(app: App, home: string): Promise<void> {
  for (const spec of [
    "builtin:http",
    "builtin:guard",
    await writePlugin(`${home}/weather`, { key: "weather", manifest: { displayName: longName } }),
  ])
    await app.install(spec);
  await app.set("http", { enabled: true, config: { tools: { allowedHosts: ["example.com"] } } });
  await app.set("weather", { enabled: true });
}

test("no text is cut and no control out of reach, in four sizes, with the conversation and without", async ({
  page,
  app,
  home,
  serveOpen,
}) => {
  test.setTimeout(180_000);
  await serveOpen();
  await furnish(app, home);
  const screens: [path: string, there: () => Promise<unknown>][] = [
    ["plugins", () => page.getByRole("article", { name: "Guard" }).waitFor()],
    ["plugins?view=matrix", () => page.getByRole("grid").waitFor()],
    ["discover", () => page.getByRole("article").first().waitFor()],
    ["plugins/weather/overview", () => page.getByRole("heading", { name: longName }).waitFor()],
    ["plugins/http/settings", () => page.getByRole("button", { name: "Save settings" }).waitFor()],
    ["plugins/http/permissions", () => page.getByRole("tabpanel").getByRole("heading").first().waitFor()],
    ["plugins/http/activity", () => page.getByRole("heading", { name: "Log" }).waitFor()],
    ["plugins/http/versions", () => page.getByRole("button", { name: "Uninstall" }).waitFor()],
    [
      "conversation",
      () =>
        page
          .locator("main")
          .getByRole("textbox", { name: /^Message to/ })
          .waitFor(),
    ],
    ["tools", () => page.getByRole("region", { name: "Built in" }).waitFor()],
    ["approvals", () => page.getByRole("heading", { name: "Approvals" }).first().waitFor()],
    ["settings/models", () => page.locator("#settings-section").waitFor()],
    ["settings/safety", () => page.locator("#settings-section").waitFor()],
  ];
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const open of size.width < 896 ? [false] : [false, true]) {
      await showConversation(page, open);
      for (const [path, there] of screens) {
        await app.goTo(`/agents/helper/${path}`);
        await there();
        await expectRoom(page, `${path} at ${size.width}${open ? " with the conversation" : ""}`);
      }
    }
  }
  await showConversation(page, false);
});

test("German, whose words are longer, has room as well", async ({ page, app, home, serveOpen }) => {
  test.setTimeout(180_000);
  await serveOpen();
  await furnish(app, home);
  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  const screens = [
    "plugins",
    "plugins?view=matrix",
    "discover",
    ...["overview", "settings", "permissions", "activity", "versions"].map((tab) => `plugins/http/${tab}`),
    "tools",
    "approvals",
    "conversation",
    ...settingsSections.map((section) => `settings/${section}`),
  ];
  for (const size of [sizes[0], sizes[2]]) {
    if (size) await page.setViewportSize(size);
    for (const path of screens) {
      await app.goTo(`/agents/helper/${path}`);
      await page.locator(markOf(path)).first().waitFor();
      await expect(page.locator("main .animate-turn")).toHaveCount(0);
      await expectRoom(page, `${path} in German at ${size?.width}`);
    }
  }
});

/** What is on the screen of a path alone, in any language. */
function markOf(path: string): string {
  const [area = "", , tab] = path.split(/[/?]/);
  if (tab) return `[role=tabpanel][id$="-content-${tab}"]`;
  if (area === "conversation") return "main section textarea";
  return `a[aria-current=page][href$="/${path.split("?")[0]}"]`;
}

async function showConversation(page: Page, open: boolean): Promise<void> {
  const panel = page.getByRole("complementary", { name: /^Talk to/ });
  if ((await panel.isVisible()) !== open)
    await page.getByRole("button", { name: "Conversation", exact: true }).click();
  await expect(panel).toBeVisible({ visible: open });
}

test("a small window gives the conversation the place of the page, until another page is wanted", async ({
  page,
  serveOpen,
}) => {
  await serveOpen();
  await page.setViewportSize({ width: 640, height: 480 });
  const word = page.getByRole("textbox", { name: /^Message to/ });
  await page.getByRole("button", { name: "Conversation", exact: true }).click();
  await word.fill("half a sentence");
  await expectRoom(page, "the conversation at 640");
  await expectNoViolations(page, "the conversation at 640");
  await expect(page.getByRole("heading", { name: "Plugins", exact: true })).toBeHidden();
  await page.getByRole("link", { name: "Discover" }).click();
  await expect(page.getByRole("heading", { name: "Discover" })).toBeVisible();
  await expect(word).toBeHidden();
  await page.getByRole("button", { name: "Conversation", exact: true }).click();
  await expect(word).toHaveValue("half a sentence");
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByRole("heading", { name: "Discover" })).toBeVisible();
  await expect(word).toHaveValue("half a sentence");
});

test("a shortened name can be read whole by pointing at it", async ({ page, app, home, serveOpen }) => {
  await serveOpen();
  await furnish(app, home);
  await page.setViewportSize({ width: 640, height: 480 });
  const name = page.getByRole("article", { name: longName }).getByRole("link", { name: longName });
  await name.hover();
  await expect(name).toHaveAttribute("title", longName);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await name.hover();
  await page.mouse.move(0, 0);
  await name.hover();
  await expect(name).not.toHaveAttribute("title", longName);
});

test("a screen that cannot be loaded says so, and the rest goes on", async ({ page, serveOpen }) => {
  await serveOpen();
  await page.route(/tools-page.*\.js/, (route) => route.abort());
  await page.getByRole("link", { name: "Tools", exact: true }).click();
  const broken = page.getByRole("alert");
  await expect(broken.getByRole("heading", { name: "This screen could not be drawn" })).toBeVisible();
  await expectNoViolations(page, "a broken screen");
  await page.getByRole("link", { name: "Plugins", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Plugins", exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Tools", exact: true }).click();
  await page.unroute(/tools-page.*\.js/);
  await broken.getByRole("button", { name: "Load again" }).click();
  await expect(page.getByRole("region", { name: "Built in" })).toBeVisible();
});
