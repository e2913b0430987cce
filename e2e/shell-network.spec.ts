import { expect, test } from "./support/app.ts";

test("what an agent's commands reach is set in its dialog, and a host is asked about", async ({ app }) => {
  const { page } = app;
  await page.getByRole("button", { name: /^Agent: Helper/ }).click();
  await page.getByRole("menuitem", { name: "Edit Helper…" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Helper" });
  await expect(dialog.getByText("You are asked about this computer and your local network.")).toBeVisible();
  await dialog.getByLabel("Ask for each host").check({ force: true });
  await dialog.getByLabel("Add a host").fill("packages.example.com");
  await dialog.getByLabel("Add a host").press("Enter");
  await dialog.getByRole("button", { name: "Save" }).click();
  // The dialog is out of sight also while the person is asked for the code above it; the page is back when both are gone.
  await expect(page.getByRole("button", { name: /^Agent: Helper/ })).toBeVisible();
  expect(await app.ask("GET", "/agents/helper")).toMatchObject({
    shellNetwork: { reach: "hosts", hosts: ["packages.example.com"] },
  });

  const input = { command: "curl -sS http://host.internal:9/" };
  const running = app.ask("POST", "/agents/helper/tools/shell/call", { input, yes: true });
  const question = page.getByRole("form", { name: "Patchbay asks about a command of Helper" }).first();
  await app.goTo("/agents/helper/approvals");
  await expect(question).toContainText("May a command of Helper reach localhost:9?");
  await question.getByRole("button", { name: "Do not allow" }).click();
  await running;
});
