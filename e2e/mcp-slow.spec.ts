import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serverFolder } from "../test/mcp/server-folder.ts";
import { fetchedServer, writeSlowUvx } from "../test/mcp/servers/slow-uvx.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";
import { ServedCore } from "./support/core.ts";
import { look } from "./support/look.ts";
import { expect, test } from "./support/served.ts";

test("a server that may still be downloading is given more time where it is installed and where it starts", async ({
  app,
  page,
  home,
}) => {
  const programs = join(home, "programs");
  await writeSlowUvx(programs);
  const path = `${programs}:${process.env.PATH ?? ""}`;
  const core = await ServedCore.start(home, [], { PATH: path, SHELL: "" });
  try {
    await app.closeWelcome();
    await core.openIn(page);
    const folder = await serverFolder(join(home, "given"), "raw", {
      key: "slow",
      file: { title: "Slow", server: fetchedServer },
    });
    await page.getByRole("button", { name: "Add plugin" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill(folder);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByRole("button", { name: "Install", exact: true }).click();

    const looks = dialog.getByRole("status").filter({ hasText: "It is started once to see what it offers" });
    await expect(looks).toContainText("It may still be downloading; Patchbay waits until");
    const inDialog = async () => {
      const { check } = await app.ask<{ check: { until: string } }>("GET", "/plugins/slow");
      return Date.parse(check.until);
    };
    const first = await inDialog();
    await look(page, "slow-installing");
    await expectNoViolationsInBoth(page, "an installation that may be downloading", "[role=dialog]");
    await dialog.getByRole("button", { name: "Wait longer" }).click();
    await expect.poll(inDialog).toBe(first + 120_000);
    const { artifact } = await app.ask<{ artifact: { dir: string } }>("GET", "/plugins/slow");
    const go = join(artifact.dir, "go");
    await writeFile(go, "");
    await expect(dialog.getByText("It offers 1 tool.")).toBeVisible();

    await rm(go);
    await dialog.getByRole("button", { name: "Switch on for Helper" }).click();
    await expect(dialog.getByRole("status").filter({ hasText: "It is starting." })).toBeVisible();
    await look(page, "slow-switched-on");
    await dialog.getByRole("button", { name: "Close" }).first().click();
    await app.goTo("/agents/helper/plugins/slow/overview");
    const starts = page.getByRole("main").getByRole("button", { name: "Wait longer" });
    await expect(starts).toBeVisible();
    const atStart = async () => {
      type Row = { instance: { fetchesUntil: string } };
      const { instance } = await app.ask<Row>("GET", "/agents/helper/plugins/slow");
      return Date.parse(instance.fetchesUntil);
    };
    const begun = await atStart();
    await look(page, "slow-starting");
    await expectNoViolationsInBoth(page, "a start that may be downloading");
    await starts.click();
    await expect.poll(atStart).toBe(begun + 120_000);
    await writeFile(go, "");
    await expect(page.getByText("Running", { exact: true }).first()).toBeVisible();
  } finally {
    await core.stop();
  }
});
