import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type App, expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

/** A copy of the plugin that may be edited, linked and switched on. */
async function useParcels(app: App): Promise<string> {
  const folder = join(app.home, "linked-parcels");
  await cp(pluginFolder.flowlyParcels, folder, { recursive: true });
  const job = await app.ask<{ id: string }>("POST", "/jobs", { spec: folder, link: true, yes: true });
  await expect
    .poll(async () => (await app.ask<{ status: string }>("GET", `/jobs/${job.id}`)).status)
    .toBe("done");
  await app.set("parcels", { enabled: true });
  await app.ask("PATCH", "/agents/helper", { policy: [{ tool: "*", effect: "allow" }] });
  return folder;
}

test("a plugin of Flowly is installed from its folder; its card says what Python code can do", async ({
  app,
}) => {
  const { page } = app;
  await page.getByRole("button", { name: "Add plugin" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(pluginFolder.flowlyParcels);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("heading", { name: "Install parcels?" })).toBeVisible();
  await expect(dialog.getByText("Flowly", { exact: true })).toBeVisible();
  await expect(dialog.getByText(/It is Python code and does whatever its author wrote/)).toBeVisible();
  await expect(dialog.getByText("Hooks 3")).toBeVisible();
  await expectNoViolationsInBoth(page, "the card of a plugin of Flowly");
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "parcels is installed" })).toBeVisible();
  await dialog.getByRole("button", { name: "Switch on for Helper" }).click();
  await expect(app.card("parcels").getByText("Running", { exact: true })).toBeVisible();
  await app.openPlugin("parcels", "Overview");
  const main = page.getByRole("main");
  await expect(main.getByText("parcels.track", { exact: true })).toBeVisible();
  await expect(main.getByText("/parcels", { exact: true })).toBeVisible();
  await expect(main.getByText(/Its manifest names weigh, which it does not offer/)).toBeVisible();
  await expectNoViolationsInBoth(page, "the page of a plugin of Flowly");
});

test("in a conversation its tool runs with rewritten arguments, its guard blocks, its skill is read, and its command answers", async ({
  app,
}) => {
  const { page } = app;
  await useParcels(app);
  await app.script([
    { call: { tool: "parcels__track", input: { number: " ab12 " } } },
    { call: { tool: "shell", input: { command: "rm -r parcels" } } },
    { call: { tool: "parcels__skill_view", input: { name: "parcels:customs" } } },
    { say: "It is at the depot." },
  ]);
  const panel = await app.openConversation();
  await app.send("Where is my parcel?");
  const call = panel.getByRole("article", { name: "Tool call parcels.track" });
  await expect(call).toHaveAttribute("data-outcome", "executed");
  await expect(call.getByText("Arguments changed by parcels")).toBeVisible();
  await call.getByText("Result", { exact: true }).click();
  await expect(call.getByText(/'at': 'the depot'.* \(as of today\)/)).toBeVisible();
  const blocked = panel.getByRole("article", { name: "Tool call shell" });
  await expect(blocked).toHaveAttribute("data-outcome", "vetoed");
  await expect(blocked.getByText("blocked by parcels")).toBeVisible();
  const skill = panel.getByRole("article", { name: "Tool call parcels.skill_view" });
  await expect(skill).toHaveAttribute("data-outcome", "executed");
  await skill.getByText("Result", { exact: true }).click();
  await expect(skill.getByText(/Declare everything/).first()).toBeVisible();
  await expect(panel.getByText("It is at the depot.")).toBeVisible();

  const box = page.getByRole("textbox", { name: /^Message to/ });
  await box.fill("/par");
  await expect(page.getByRole("option", { name: /parcels/ })).toBeVisible();
  await app.send("/parcels today");
  await expect(panel.getByText("Seen: AB12 [today]")).toBeVisible();
});

test("an edit of a linked folder starts it anew; what fails then is said, and switching off ends it", async ({
  app,
}) => {
  const { page } = app;
  const folder = await useParcels(app);
  await expect(app.card("parcels").getByText("Running", { exact: true })).toBeVisible();
  const file = join(folder, "__init__.py");
  const whole = await readFile(file, "utf8");
  await writeFile(file, whole.replace("Lists the parcels", "Says which parcels"));
  await app.openPlugin("parcels", "Overview");
  await expect(page.getByText("Says which parcels that were asked about.")).toBeVisible();
  await writeFile(file, `import no_such_module\n${whole}`);
  await expect(
    page
      .getByRole("main")
      .getByText(/no-such-module/)
      .first(),
  ).toBeVisible();
  await writeFile(file, whole);
  await expect(page.getByRole("main").getByText("Running", { exact: true })).toBeVisible();
  await page.getByRole("switch", { name: "Switch parcels off" }).click();
  await expect(page.getByRole("main").getByText("Off", { exact: true })).toBeVisible();
});

test("its setup asks for what it reads from its environment, and a tool that waited for that is there", async ({
  app,
}) => {
  const { page } = app;
  await useParcels(app);
  await app.openPlugin("parcels", "Setup");
  await page.getByRole("button", { name: /^Set up/ }).click();
  const dialog = page.locator("[data-setup]");
  await dialog.getByLabel(/^PARCELS_TOKEN/).fill("t0ken-of-parcels");
  await dialog.getByLabel(/^PARCELS_DEPOT/).fill("Lyon");
  await dialog.getByRole("button", { name: "Save and switch on" }).click();
  await expect(dialog.getByRole("heading", { name: "parcels is connected" })).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("tab", { name: "Overview" }).click();
  await expect(page.getByRole("main").getByText("parcels.weigh", { exact: true })).toBeVisible();
  await expect(page.getByText(/It may lack a setting/)).toHaveCount(0);
  const { config } = await app.ask<{ config: unknown }>("GET", "/agents/helper/plugins/parcels");
  expect(JSON.stringify(config)).not.toContain("t0ken-of-parcels");
});
