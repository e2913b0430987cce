import type { Locator, Page } from "@playwright/test";
import { type App, expect, pluginFolder, test } from "./support/app.ts";
import { settled } from "./support/axe.ts";

/** Most clicks from a question in the conversation to the plugin and the line. */
const mostClicks = 3;

/** A person who asks why, and counts the clicks that it takes. */
class Asker {
  clicks = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  /** The card that tells what happened. */
  get card(): Locator {
    return this.page.getByRole("region", { name: /^What happened: / });
  }

  /** Goes on to the line in the plugin's log, and expects it to be marked there. */
  async expectLine(plugin: string, text: RegExp): Promise<void> {
    await this.click(this.card.getByRole("link", { name: "Show the line in its log" }));
    await expect(this.page.getByRole("heading", { level: 1, name: plugin })).toBeVisible();
    const line = this.page.getByRole("log").locator("[aria-current=true]");
    await expect(line).toHaveText(text);
    await expect(line).toBeInViewport();
    expect(this.clicks).toBeLessThanOrEqual(mostClicks);
  }

  /** Both themes, for people to look at; only with `PATCHBAY_PICTURES=1`. */
  async photograph(name: string): Promise<void> {
    if (process.env.PATCHBAY_PICTURES !== "1") return;
    for (const colorScheme of ["light", "dark"] as const) {
      await this.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await settled(this.page);
      await this.page.screenshot({ path: `pictures/why-${name}-${colorScheme}.png` });
    }
    await this.page.emulateMedia({ colorScheme: "light" });
  }
}

/** Runs a turn beside the other pages, as somebody who knows nothing of the Debug page. */
async function talk(app: App, plugins: (keyof typeof pluginFolder)[], steps: unknown[], text: string) {
  await app.page.setViewportSize({ width: 1440, height: 900 });
  for (const key of plugins) {
    await app.install(pluginFolder[key]);
    await app.set(key, { enabled: true });
  }
  await app.ask("PATCH", "/agents/helper", {
    policy: [
      { tool: "shell", effect: "allow" },
      { tool: "brittle__weigh", effect: "allow" },
    ],
  });
  await app.script(steps);
  await app.openConversation();
  await app.send(text);
  return new Asker(app.page);
}

const callOf = (page: Page, tool: string) =>
  page.getByRole("log").getByRole("article", { name: `Tool call ${tool}` });

test("why did it run another command? A plugin changed the arguments", async ({ app }) => {
  const asker = await talk(
    app,
    ["narrower", "guard"],
    [{ call: { tool: "shell", input: { command: "rm -rf build" } } }, { say: "Done." }],
    "Remove the build folder",
  );
  const { page, card } = asker;
  await expect(page.getByRole("log").getByText("Done.")).toBeVisible();
  await asker.click(callOf(page, "shell").getByRole("link", { name: "Why?" }));
  await expect(card).toContainText("Confirm rm changed the arguments of shell.");
  await expect(card).toContainText("hook 2 of 2");
  await expect(card.locator("del")).toContainText("rm -rf build");
  await expect(card.locator("ins")).toContainText("rm -r build/old");
  await asker.photograph("changed");
  await asker.expectLine("Confirm rm", /narrowed rm -rf build to build\/old/);
  await asker.photograph("changed-line");
});

test("why was it not done? A plugin blocked the call", async ({ app }) => {
  const asker = await talk(
    app,
    ["guard"],
    [{ call: { tool: "shell", input: { command: "git push --force" } } }, { say: "I was not allowed to." }],
    "Push it",
  );
  const { page, card } = asker;
  await expect(page.getByRole("log").getByText("I was not allowed to.")).toBeVisible();
  await asker.click(callOf(page, "shell").getByRole("link", { name: "Why?" }));
  await expect(card).toContainText("Guard blocked the call of shell.");
  await expect(card).toContainText("Reason: Nobody pushes with force here.");
  await asker.photograph("blocked");
  await asker.expectLine("Guard", /blocked a push with force/);
});

test("why was the result not looked at? A plugin's hook failed, and in which line", async ({ app }) => {
  const asker = await talk(
    app,
    ["brittle"],
    [{ call: { tool: "shell", input: { command: "echo hello" } } }, { say: "It said hello." }],
    "Say hello",
  );
  const { page, card } = asker;
  await expect(page.getByRole("log").getByText("It said hello.")).toBeVisible();
  await asker.click(callOf(page, "shell").getByRole("link", { name: "Why?" }));
  await expect(card).toContainText("Brittle failed when it was asked: Cannot destructure property 'lines'");
  await expect(card).toContainText("The turn went on without it.");
  await expect(card).toContainText("index.js, line 33");
  await asker.photograph("hook-failed");
  await asker.expectLine("Brittle", /A hook failed: TypeError[\s\S]*index\.js:33/);
});

test("why did the tool fail? In which line of the plugin", async ({ app }) => {
  const asker = await talk(
    app,
    ["brittle"],
    [{ call: { tool: "brittle__weigh", input: { letter: "large" } } }, { say: "The scales are broken." }],
    "Weigh it",
  );
  const { page, card } = asker;
  await expect(page.getByRole("log").getByText("The scales are broken.")).toBeVisible();
  await asker.click(callOf(page, "brittle.weigh").getByRole("link", { name: "Why?" }));
  await expect(card).toContainText("brittle.weigh failed in Brittle: Cannot read properties of undefined");
  await expect(card).toContainText("index.js, line 39");
  await asker.photograph("tool-failed");
  await asker.expectLine("Brittle", /The tool weigh failed: TypeError[\s\S]*index\.js:39/);
});

test("why does the answer read like this? A plugin rewrote it", async ({ app }) => {
  const asker = await talk(app, ["narrower"], [{ say: "The secret plan worked." }], "How did it go?");
  const { page, card } = asker;
  const answer = page.getByRole("log").getByText("Changed by Confirm rm");
  await expect(page.getByRole("log").getByText("The [removed] worked.")).toBeVisible();
  await asker.click(answer.getByRole("link", { name: "Why?" }));
  await expect(card).toContainText("Confirm rm changed the answer.");
  await expect(card.locator("del")).toContainText("secret plan");
  await expect(card.locator("ins")).toContainText("[removed]");
  await asker.photograph("answer");
  await asker.expectLine("Confirm rm", /took the secret plan out of the answer/);
});

test("why was the message not answered? A plugin dropped it", async ({ app }) => {
  const asker = await talk(app, ["sieve"], [{ say: "Never said." }], "You won the lottery!");
  const { page, card } = asker;
  const note = page.getByRole("log").locator("p", { hasText: "Sieve dropped this message: It is about" });
  await asker.click(note.getByRole("link", { name: "Why?" }));
  await expect(card).toContainText("Sieve dropped your message.");
  await expect(card).toContainText("Reason: It is about a lottery.");
  await asker.photograph("dropped");
  await asker.click(card.getByRole("link", { name: "Show Sieve" }));
  await expect(page.getByRole("heading", { level: 1, name: "Sieve" })).toBeVisible();
  expect(asker.clicks).toBeLessThanOrEqual(mostClicks);
});
