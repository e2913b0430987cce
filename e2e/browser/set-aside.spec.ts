import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pluginFolder } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";
import { expect, test } from "../support/served.ts";

/** Switches all plugins of the agent on in the file, as another program would. */
async function switchOnByHand(home: string): Promise<void> {
  const file = join(home, "agents", "helper", "agent-plugins.json");
  const content = JSON.parse(await readFile(file, "utf8"));
  for (const row of content.data.rows) row.enabled = true;
  await writeFile(file, JSON.stringify(content));
}

test("what somebody else changed is left out, said again at the next start, and used only when the person confirms", async ({
  page,
  app,
  home,
  serve,
}) => {
  const first = await serve();
  await first.openIn(page);
  await app.closeWelcome();
  await app.install(pluginFolder.mailbox);
  await app.set("mailbox", { enabled: true });
  await app.set("mailbox", { enabled: false });
  await first.stop();
  await switchOnByHand(home);
  await (await serve()).stop();

  const second = await serve();
  await second.openIn(page);
  const notice = page.getByRole("status").filter({ hasText: "Something other than Patchbay changed" });
  await expect(notice.first()).toBeVisible();
  await expect(app.card("Mailbox").getByText("Off", { exact: true })).toBeVisible();
  await expectNoViolationsInBoth(page, "set-aside");
  await notice.getByRole("button", { name: "Use it anyway" }).click();
  const asked = page.getByRole("dialog", { name: "Use what somebody else changed?" });
  await expect(asked).toContainText("Do this only if the change was yours");
  await expectNoViolationsInBoth(page, "set-aside-asked");
  await asked.getByRole("button", { name: "Use it anyway" }).click();
  await expect(notice).toHaveCount(0);
  await expect(app.card("Mailbox").getByText("Running", { exact: true })).toBeVisible();
});
