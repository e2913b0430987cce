import { expect, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

test("a person goes back to a message, writes it anew, names a place and returns to what was left", async ({
  app,
}) => {
  const { page } = app;
  await app.script([{ say: "Bern." }, { say: "Basel." }, { say: "Aarau." }]);
  await app.openConversation();
  await app.send("The capital?");
  await expect(page.getByRole("log").getByText("Bern.")).toBeVisible();
  await app.send("And the largest?");
  await expect(page.getByRole("log").getByText("Basel.")).toBeVisible();

  await page.getByRole("link", { name: "Debug" }).click();
  await page.getByRole("tab", { name: "Tree" }).click();
  const tree = page.getByRole("list", { name: "Tree of the conversation" });
  const place = (text: string) => tree.getByRole("listitem").filter({ hasText: text });
  await expect(tree.getByRole("listitem")).toHaveCount(4);
  await expectNoViolationsInBoth(page, "the tree of a conversation");

  await place("And the largest?").hover();
  await page.getByRole("button", { name: "Name “And the largest?”" }).click();
  await page.getByRole("textbox", { name: "Name of this place" }).fill("second question");
  await page.keyboard.press("Enter");
  await expect(place("And the largest?")).toContainText("second question");

  await place("And the largest?").hover();
  await page.getByRole("button", { name: "Write “And the largest?” anew" }).click();
  const message = page.getByRole("textbox", { name: "Message to Helper" });
  await expect(message).toHaveValue("And the largest?");
  await expect(page.getByRole("log").getByText("Basel.")).toBeHidden();
  await message.fill("And the smallest?");
  await message.press("Enter");
  await expect(page.getByRole("log").getByText("And the smallest?")).toBeVisible();
  await expect(place("And the largest?")).toBeVisible();
  await expect(place("And the smallest?")).toBeVisible();

  await place("Basel.").first().hover();
  await page.getByRole("button", { name: "Go on after “Basel.”" }).first().click();
  await expect(page.getByRole("log").getByText("And the largest?")).toBeVisible();
  await expect(page.getByRole("log").getByText("And the smallest?")).toBeHidden();

  await page.reload();
  await expect(page.getByRole("log").getByText("And the largest?")).toBeVisible();
  await expect(page.getByRole("log").getByText("And the smallest?")).toBeHidden();
  await expect(place("And the largest?")).toContainText("second question");
});
