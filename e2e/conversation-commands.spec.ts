import { expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

test("commands are listed with their owner and arguments, the hint stays while they are typed, and a wrong name has the nearest", async ({
  app,
}) => {
  const { page } = app;
  await app.install(pluginFolder.careful);
  await app.set("careful", { enabled: true });
  await expect(app.card("Careful").getByText("Running", { exact: true })).toBeVisible();
  const panel = await app.openConversation();
  const message = page.getByRole("textbox", { name: /^Message to/ });
  await message.fill("/");
  const list = panel.getByRole("listbox", { name: "Commands" });
  const careful = list.getByRole("option", { name: /\/careful/ });
  await expect(careful).toContainText("[how]");
  await expect(careful).toContainText("Careful");
  await expect(list.getByRole("option", { name: /\/help/ })).toContainText("built in");
  await expectNoViolationsInBoth(page, "the list of commands");

  await message.fill("/car");
  await page.keyboard.press("Enter");
  await expect(message).toHaveValue("/careful ");
  await expect(message).toHaveAccessibleDescription("[how]");
  await expectNoViolationsInBoth(page, "the hint for a command's arguments");
  await message.pressSequentially("very");
  await expect(message).not.toHaveAccessibleDescription("[how]");

  await message.fill("/carfull now");
  await expect(panel.getByText("There is no command /carfull.")).toBeVisible();
  await expectNoViolationsInBoth(page, "a command that there is not");
  await page.keyboard.press("Tab");
  await expect(message).toHaveValue("/careful ");
  await message.fill("/hlep");
  await page.keyboard.press("Enter");
  await expect(panel.getByRole("log").getByText(/Did you mean \/help\?/)).toBeVisible();
});
