import { resolve } from "node:path";
import { TelegramPerson } from "../test/support/platforms/telegram/person.ts";
import { TelegramServer } from "../test/support/platforms/telegram/server.ts";
import { type App, expect, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";
import { picture } from "./support/channel-setup.ts";

// Each of them installs, connects, talks and takes pictures.
test.describe.configure({ timeout: 120_000 });

/** Telegram with a bot whose settings name nobody. */
async function telegram(app: App, server: TelegramServer) {
  const token = `70010001:${"A".repeat(35)}`;
  const bot = server.addBot({ token });
  await app.script([{ say: "Hello from the agent." }, { say: "And again." }]);
  await app.install(resolve("out/plugins/telegram"));
  await app.set("telegram", {
    enabled: true,
    config: { channel: { apiRoot: server.apiRoot } },
    secrets: { token },
  });
  await expect(app.card("Telegram").getByText(/^Connected as @helper_bot/)).toBeVisible();
  return bot;
}

const heardBy = (person: TelegramPerson) => () => person.sees().map(({ text }) => text ?? "");
const codeIn = (person: TelegramPerson) =>
  /[2-9A-Z]{3}-[2-9A-Z]{3}/.exec(heardBy(person)().join())?.[0] ?? "";

test("somebody who wrote is let in on the page of the channel, by keyboard, answered, and removed again", async ({
  app,
}, testInfo) => {
  const { page } = app;
  await using server = await TelegramServer.open();
  const bot = await telegram(app, server);
  const sam = new TelegramPerson(server, { id: 13, name: "Sam" });
  sam.says(bot, "Are you there?");
  await expect.poll(heardBy(sam)).toEqual([expect.stringContaining("Give this code to my owner")]);

  await expect(app.card("Telegram").getByText("1 person waits to be let in")).toBeVisible();
  const rail = page.getByRole("navigation").filter({ hasText: "Discover" });
  await expect(rail.getByRole("link", { name: /Plugins/ })).toContainText("1 person waits to be let in");
  await picture(app, testInfo, "card");
  await app.card("Telegram").getByRole("link", { name: "Look" }).click();
  await expect(page.getByRole("tab", { name: "People 1" })).toHaveAttribute("aria-selected", "true");
  const waiting = page.getByRole("list", { name: "Waiting to be let in" });
  await expect(waiting.getByText("Sam")).toBeVisible();
  await expect(waiting.getByText("13", { exact: true })).toBeVisible();
  await expect(waiting.getByText(codeIn(sam))).toBeVisible();
  for (const size of [
    { width: 1280, height: 800 },
    { width: 1000, height: 700 },
  ]) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await picture(app, testInfo, `waiting-${size.width}-${colorScheme}`);
    }
  }
  await expectNoViolationsInBoth(page, "People");

  await waiting.getByRole("button", { name: "Allow", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect
    .poll(heardBy(sam))
    .toEqual([expect.stringContaining("code"), "You may write to me now.", "Hello from the agent."]);
  const letIn = page.getByRole("list", { name: "Let in" });
  await expect(letIn.getByText("May write")).toBeVisible();
  await expect(page.getByText("Nobody waits")).toBeVisible();
  await expect(rail.getByRole("link", { name: "Plugins", exact: true })).toBeVisible();
  await picture(app, testInfo, "let-in");

  await letIn.getByRole("button", { name: "Remove" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Remove Sam?" });
  await expect(dialog.getByText(/they are told a new code/)).toBeVisible();
  await dialog.getByRole("button", { name: "Remove" }).press("Enter");
  await expect(page.getByText("Nobody was let in yet")).toBeVisible();
  sam.says(bot, "Still there?");
  await expect(waiting.getByText(codeIn(sam))).toHaveCount(0);
  await expect(waiting.getByText("Sam")).toBeVisible();
  expect(heardBy(sam)().filter((text) => text === "And again.")).toEqual([]);
});

test("in German: an owner is made after a clear sentence, somebody is blocked, and somebody turned away", async ({
  app,
}, testInfo) => {
  const { page } = app;
  await using server = await TelegramServer.open();
  const bot = await telegram(app, server);
  const people = ["Olga", "Sam", "Tom"].map(
    (name, index) => new TelegramPerson(server, { id: 11 + index, name }),
  );
  for (const person of people) {
    person.says(bot, "Hallo");
    await expect.poll(heardBy(person)).toEqual([expect.stringContaining("code")]);
  }
  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(app.card("Telegram").getByText("3 Personen warten auf Einlass")).toBeVisible();
  await app.card("Telegram").getByRole("link", { name: "Ansehen" }).click();
  const waiting = page.getByRole("list", { name: "Warten auf Einlass" });
  const of = (name: string) => waiting.getByRole("listitem").filter({ hasText: name });

  await of("Olga").getByRole("button", { name: "Als Besitzer einlassen" }).click();
  const owner = page.getByRole("dialog", { name: "Olga zum Besitzer machen?" });
  await expect(owner.getByText(/entscheiden aus ihrem Chat, was der Agent darf/)).toBeVisible();
  await expect(owner.getByText("Kennung: 11")).toBeVisible();
  await expectNoViolationsInBoth(page, "the question about an owner");
  await picture(app, testInfo, "owner-german");
  await owner.getByRole("button", { name: "Als Besitzer einlassen" }).click();
  const letIn = page.getByRole("list", { name: "Eingelassen" });
  await expect(letIn.getByText("Besitzer", { exact: true })).toBeVisible();
  await expect.poll(heardBy(people[0] as TelegramPerson)).toContain("Hello from the agent.");

  await of("Sam").getByRole("button", { name: "Sperren" }).click();
  await page.getByRole("dialog", { name: "Sam sperren?" }).getByRole("button", { name: "Sperren" }).click();
  const blocked = page.getByRole("list", { name: "Bekommen nie eine Antwort" });
  await expect(blocked.getByText("Sam")).toBeVisible();
  await of("Tom").getByRole("button", { name: "Abweisen" }).click();
  await expect(page.getByText("Niemand wartet")).toBeVisible();
  await picture(app, testInfo, "decided-german");
  await blocked.getByRole("button", { name: "Sperre aufheben" }).click();
  await expect(blocked).toHaveCount(0);
});
