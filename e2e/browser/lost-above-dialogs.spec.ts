import { expectNoViolationsInBoth } from "../support/axe.ts";
import { expect, test } from "../support/served.ts";

test("a lost connection is said in every dialog, where the page's own line is covered", async ({
  page,
  serveOpen,
}) => {
  const core = await serveOpen();
  const note = page.getByRole("dialog").locator("[data-banner=connection-in-dialog]");
  const dialogs: [name: string, open: () => Promise<void>][] = [
    ["add a plugin", () => page.getByRole("button", { name: "Add plugin" }).first().click()],
    ["the palette", () => page.keyboard.press("Control+k")],
    [
      "create an agent",
      async () => {
        await page.getByRole("button", { name: /^Agent: / }).click();
        await page.getByRole("menuitem", { name: "Create agent" }).click();
      },
    ],
  ];
  for (const [name, open] of dialogs) {
    await test.step(name, async () => {
      await open();
      await expect(page.getByRole("dialog")).toBeVisible();
      await expect(note).toHaveCount(0);
      core.pause();
      await expect(note).toContainText("Patchbay does not answer.");
      // Nothing lies above it.
      const isOnTop = await note.evaluate((line) => {
        const { left, top, width, height } = line.getBoundingClientRect();
        return line.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });
      expect(isOnTop).toBe(true);
      await expectNoViolationsInBoth(page, name);
      core.resume();
      await expect(note).toHaveCount(0);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    });
  }
});
