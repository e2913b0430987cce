import type { Page } from "@playwright/test";
import { expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

test("German is chosen in the settings, reaches every screen at once, and outlives a reload", async ({
  app,
}) => {
  const { page } = app;
  await app.goTo("/agents/helper/settings/appearance");
  await page.getByLabel("Language").selectOption("Deutsch");
  await expect(page.getByRole("heading", { name: "Darstellung", exact: true })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect(page.getByRole("link", { name: "Freigaben" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Darstellung", exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Über Patchbay" }).click();
  await expect(page.getByText(/^\d{2}\.\d{2}\.\d{4}, \d{2}:\d{2}$/)).toBeVisible();
  await page.getByRole("link", { name: "Darstellung" }).click();
  await page.getByLabel("Sprache").selectOption("English");
  await expect(page.getByRole("heading", { name: "Appearance", exact: true })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
});

test("a failure is explained in German, with the core's own sentence below", async ({ app }) => {
  const { page } = app;
  await app.ask("PATCH", "/settings", {
    language: "de",
    catalogUrls: ["http://127.0.0.1:9/catalogue.json"],
  });
  await app.goTo("/agents/helper/settings/sources");
  await page.getByRole("button", { name: "http://127.0.0.1:9/catalogue.json prüfen" }).click();
  await expect(
    page.getByRole("paragraph").filter({ hasText: "Das Paketverzeichnis hat nicht geantwortet." }),
  ).toBeVisible();
  await expect(page.getByRole("paragraph").filter({ hasText: "127.0.0.1:9 did not answer." })).toBeVisible();
});

test("axe finds nothing on the German screens, in light or in dark", async ({ app }) => {
  const { page } = app;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await app.install(pluginFolder.careful);
  await app.set("careful", { enabled: true });
  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(app.card("Careful").getByText("Läuft", { exact: true })).toBeVisible();
  await expectNoViolationsInBoth(page, "home in German");
  await app.goTo("/agents/helper/plugins/careful/activity");
  await expect(page.getByRole("tab", { name: "Aktivität", selected: true })).toBeVisible();
  await expectNoViolationsInBoth(page, "activity in German");
  await app.goTo("/agents/helper/settings/limits");
  await expect(page.getByRole("heading", { name: "Grenzen", exact: true })).toBeVisible();
  await expectNoViolationsInBoth(page, "limits in German");
});

/** Words of English sentences and labels that no German one has. */
const english =
  /(?<![\S])(the|of|and|is|are|not|with|for|from|by|your?|this|that|has|have|can|calls?|failed|blocked|mode|groups?|built|key|yes|no)(?=[\s.,:;!?·]|$)/i;

test("no English is left on the German screens beside plugins that speak German", async ({ app }) => {
  const { page } = app;
  await app.ask("PATCH", "/settings", { language: "de" });
  for (const key of ["guard", "http", "irc"]) await app.install(`builtin:${key}`);
  await app.set("guard", { enabled: true });
  await app.set("http", { enabled: true, config: { tools: { allowedHosts: ["127.0.0.1"] } } });
  // Each plugin has something to report: a command that was blocked, an address that was not read.
  const call = (tool: string, input: object) =>
    app.ask("POST", `/agents/helper/tools/${tool}/call`, { input, yes: true }).catch(() => undefined);
  await expect(app.card("HTTP").getByText("Läuft", { exact: true })).toBeVisible();
  await expect(app.card("Guard").getByText("Läuft", { exact: true })).toBeVisible();
  await call("shell", { command: "rm -rf /" });
  await call("http__http_get", { url: "http://127.0.0.1:9/" });
  await expect(app.card("Guard").getByText(/^Blockiert 1 · Letzte Regel/)).toBeVisible();
  await expect(app.card("HTTP").getByText("1 Host erlaubt", { exact: true })).toBeVisible();
  await expect(app.card("HTTP").getByText("ein Aufruf heute, davon 1 fehlgeschlagen")).toBeVisible();

  const found: string[] = [];
  const read = async (path: string, shown: string | RegExp) => {
    await app.goTo(`/agents/helper/${path}`);
    await expect(page.locator("main").getByText(shown).first()).toBeVisible();
    found.push(...(await englishOn(page)).map((line) => `${path}: ${line}`));
  };
  await read("plugins", "1 Host erlaubt");
  await read("discover", "Spricht mit Menschen auf XMPP");
  await read("discover/builtin%3Atelegram", "Herausgeber");
  for (const key of ["guard", "http", "irc"]) {
    await read(`plugins/${key}/overview`, "Woher es kommt");
    await read(`plugins/${key}/settings`, /^Einstellungen speichern|^Einrichten/);
    await read(`plugins/${key}/permissions`, "Wie weit es reicht");
    await read(`plugins/${key}/versions`, "Installierte Version");
  }
  await read("plugins/guard/activity", "Letzte Regel");
  await read("plugins/http/activity", /^1, davon 1 fehlgeschlagen, gezählt seit/);
  await read("approvals", "Verlauf");
  for (const [section, shown] of [
    ["models", "Womit jeder Agent denkt"],
    ["secrets", "Wie sie aufbewahrt werden"],
    ["sources", "npm-Verzeichnis"],
    ["python", "Auf diesem Rechner gefunden"],
    ["code", "Patchbay bekannt"],
    ["limits", "Zeitgrenzen"],
    ["safety", "Abgesicherter Modus"],
    ["diagnostics", "Patchbay sammelt"],
    ["about", "Geheimnisse sind versiegelt mit"],
  ] as const)
    await read(`settings/${section}`, shown);
  expect(found).toEqual([]);
});

/** Texts and labels of the page with English words; the log and what came from it are left out: they are English everywhere. */
async function englishOn(page: Page): Promise<string[]> {
  // In one look, because lines come into the log all the time.
  const all = await page.locator("main").evaluate((main) => {
    const errors = [...main.querySelectorAll("section")].filter((one) =>
      one.textContent.startsWith("Bisherige Fehler"),
    );
    const isLogged = (one: Element | null) =>
      !one ||
      one.closest("[role=log], [lang=en]") !== null ||
      errors.some((section) => section.contains(one));
    const texts: string[] = [];
    const walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (walk.nextNode())
      if (!isLogged(walk.currentNode.parentElement)) texts.push(walk.currentNode.textContent ?? "");
    for (const one of main.querySelectorAll("[aria-label]"))
      if (!isLogged(one)) texts.push(one.getAttribute("aria-label") ?? "");
    return texts;
  });
  return all.filter((text) => english.test(text));
}
