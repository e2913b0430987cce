import { join } from "node:path";
import { expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

test("axe finds nothing on any screen, in light or in dark", async ({ app }) => {
  test.setTimeout(240_000);
  const { page } = app;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expectNoViolationsInBoth(page, "empty home");

  for (const name of ["weather", "mailbox", "careful", "echo"] as const)
    await app.install(pluginFolder[name]);
  await app.set("weather", { enabled: true });
  await app.set("careful", { enabled: true });
  await app.set("mailbox", { enabled: true, config: { channel: { trouble: "fails" } } });
  await expect(app.card("Mailbox").getByText("Failed to start")).toBeVisible();
  await app.card("Mailbox").getByRole("button", { name: "Details" }).click();
  await expectNoViolationsInBoth(page, "home");

  for (const tab of ["Overview", "Settings", "Activity", "Versions"] as const) {
    await app.openPlugin("Weather", tab);
    await expect(page.getByRole("tabpanel")).toBeVisible();
    if (tab === "Settings") {
      await page.getByRole("spinbutton", { name: "Days ahead" }).fill("99");
      await page.getByRole("button", { name: "Save settings" }).click();
      await expect(page.getByText("At most 10.")).toBeVisible();
    }
    await expectNoViolationsInBoth(page, tab);
    if (tab === "Settings") {
      await page
        .getByRole("radio", { name: "JSON" })
        .or(page.getByRole("tab", { name: "JSON" }))
        .click();
      await expect(page.locator(".cm-content")).toBeVisible();
      await expectNoViolationsInBoth(page, "settings as JSON");
    }
    if (tab === "Versions") {
      await page.getByRole("button", { name: "Uninstall" }).click();
      await expect(page.getByRole("dialog", { name: "Uninstall Weather?" })).toBeVisible();
      await expectNoViolationsInBoth(page, "uninstall");
      await page.keyboard.press("Escape");
    }
    await page.getByRole("link", { name: "Plugins of Helper" }).click();
  }

  await page.getByRole("button", { name: "Add plugin" }).click();
  await expect(page.getByRole("button", { name: /^HTTP/ })).toBeVisible();
  await expectNoViolationsInBoth(page, "add plugin");
  await page.getByRole("dialog").getByRole("textbox").fill("builtin:http");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Install HTTP?" })).toBeVisible();
  await expectNoViolationsInBoth(page, "consent");
  await page.getByRole("button", { name: "Install", exact: true }).click();
  await expect(page.getByRole("heading", { name: "HTTP is installed" })).toBeVisible();
  await expectNoViolationsInBoth(page, "installed");
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();

  await page.getByRole("button", { name: "Add plugin" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill(join(app.home, "nothing-here"));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("nothing-here");
  await expectNoViolationsInBoth(page, "failed job");
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("list", { name: "Installations under way" })).toBeVisible();
  await app.ask("POST", "/holds/safe-mode/enter");
  await expect(page.getByText("Safe mode: every plugin is off.")).toBeVisible();
  await expectNoViolationsInBoth(page, "safe mode and a failed job");
  await app.ask("POST", "/holds/safe-mode/leave");

  await app.script([
    { say: "Look:", call: { tool: "shell", input: { command: "rm -rf build" } } },
    { say: "Done." },
  ]);
  const panel = await app.openConversation();
  await app.send("Tidy");
  await expect(panel.getByRole("button", { name: "Allow once" })).toBeVisible();
  await expectNoViolationsInBoth(page, "approval in the conversation");
  await panel.getByRole("button", { name: "Deny…" }).click();
  await panel.getByRole("button", { name: "Deny", exact: true }).click();
  await expect(panel.getByText("Done.")).toBeVisible();
  await page.getByRole("textbox", { name: /^Message to/ }).fill("/");
  await expect(page.getByRole("option").first()).toBeVisible();
  await expectNoViolationsInBoth(page, "conversation with commands");

  await page.getByRole("button", { name: /^Agent: Helper/ }).click();
  await expect(page.getByRole("menuitem", { name: "Create agent" })).toBeVisible();
  await expectNoViolationsInBoth(page, "agents");
  await page.getByRole("menuitem", { name: "Create agent" }).click();
  await page.getByRole("dialog").getByLabel("Model", { exact: true }).selectOption("anthropic");
  await expectNoViolationsInBoth(page, "create agent");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Throw away" }).click();
  await page.getByRole("button", { name: /^Agent: Helper/ }).click();
  await page.getByRole("menuitem", { name: /Edit/ }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectNoViolationsInBoth(page, "edit agent");
  await page.keyboard.press("Escape");
  await app.goTo("/agents/nobody/plugins");
  await expect(page.getByRole("heading", { name: "There is no agent “nobody”" })).toBeVisible();
  await expectNoViolationsInBoth(page, "unknown agent");
});
