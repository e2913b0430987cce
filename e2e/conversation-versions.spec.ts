import { expect, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

test("a message is written anew in place, asked again and answered otherwise; each version can be gone back to", async ({
  app,
}) => {
  const { page } = app;
  await app.script([{ say: "One." }, { say: "Two." }]);
  const panel = await app.openConversation();
  const log = panel.getByRole("log");
  await app.send("The capital of Switzerland?");
  await expect(log.getByText("One.")).toBeVisible();
  await app.send("And the largest city?");
  await expect(log.getByText("Two.")).toBeVisible();

  const first = log.getByText("The capital of Switzerland?");
  await first.hover();
  await log.getByRole("button", { name: "Edit message" }).first().click();
  const field = log.getByRole("textbox", { name: "Message", exact: true });
  await expect(field).toHaveValue("The capital of Switzerland?");
  await page.keyboard.press("Escape");
  await expect(field).toBeHidden();
  await first.hover();
  await log.getByRole("button", { name: "Edit message" }).first().click();
  await field.fill("The capital of France?");
  await expectNoViolationsInBoth(page, "a message that is written anew");
  await field.press("Enter");

  await expect(log.getByText("The capital of France?")).toBeVisible();
  await expect(log.getByText("One.")).toBeVisible();
  await expect(log.getByText("And the largest city?")).toBeHidden();
  await expect(log.getByText("Version 2 of 2")).toBeAttached();

  await log.getByRole("button", { name: "Earlier version of the message" }).click();
  await expect(first).toBeVisible();
  await expect(log.getByText("And the largest city?")).toBeVisible();
  await expect(log.getByText("Two.")).toBeVisible();
  await expect(log.getByText("Version 1 of 2")).toBeAttached();
  await page.reload();
  await expect(log.getByText("And the largest city?")).toBeVisible();
  await log.getByRole("button", { name: "Later version of the message" }).click();
  await expect(log.getByText("The capital of France?")).toBeVisible();

  await log.getByText("One.").hover();
  await log.getByRole("button", { name: "Another answer" }).click();
  await expect(log.getByText("Answer 2 of 2")).toBeAttached();
  await expect(log.getByText("Version 2 of 2")).toBeAttached();
  await log.getByText("The capital of France?").hover();
  await log.getByRole("button", { name: "Ask again" }).click();
  await expect(log.getByText("Answer 3 of 3")).toBeAttached();
  await log.getByRole("button", { name: "Earlier answer" }).click();
  await expect(log.getByText("Answer 2 of 3")).toBeAttached();
  await expectNoViolationsInBoth(page, "versions of messages and answers");
});

test("another conversation can be written anew while this one is at work, this one cannot", async ({
  app,
}) => {
  const { page } = app;
  await app.script([{ say: "Quick." }]);
  const panel = await app.openConversation();
  const log = panel.getByRole("log");
  await app.send("Hello");
  await expect(log.getByText("Quick.")).toBeVisible();
  await panel.getByRole("button", { name: "New conversation" }).click();
  await expect(log.getByText("Quick.")).toBeHidden();
  await app.script([{ say: "This takes a long while to say.", delayMs: 60_000 }]);
  await app.send("Begin now");
  await expect(panel.getByRole("button", { name: "Stop" })).toBeVisible();
  await log.getByText("Begin now").hover();
  await expect(log.getByRole("button", { name: "Edit message" })).toBeDisabled();
  await expect(log.getByRole("button", { name: "Ask again" })).toBeDisabled();

  await app.script([{ say: "Quick again." }]);
  await panel.getByRole("button", { name: "All conversations" }).click();
  await panel.getByRole("button", { name: /^Hello/ }).click();
  await log.getByText("Hello").hover();
  await log.getByRole("button", { name: "Ask again" }).click();
  await expect(log.getByText("Quick again.")).toBeVisible();
  await expect(log.getByText("Answer 2 of 2")).toBeAttached();

  // The other one was at work all the while, and is stopped there.
  await panel.getByRole("button", { name: "All conversations" }).click();
  await panel.getByRole("button", { name: /^Begin now/ }).click();
  await panel.getByRole("button", { name: "Stop" }).click();
  await expect(log.getByText("You stopped it.")).toBeVisible();
  await page.keyboard.press("Escape");
});
