import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { writeFiles } from "../../test/support/fixture-plugin.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";
import { expect, test } from "../support/served.ts";

test("a plugin whose build was not allowed says so on its card and page, and can be built from there", async ({
  page,
  app,
  home,
  serve,
}) => {
  test.skip(process.platform === "win32", "its build is a shell script");
  await (await serve()).openIn(page);
  await app.closeWelcome();
  const folder = join(home, "made");
  await writeFiles(folder, {
    "plugin.toml": `[plugin]
name = "made"
version = "1.0.0"
description = "Is built before it runs."
[[commands]]
name = "go"
binary = "go.sh"
[hooks]
build = "build.sh"
`,
    "source.sh": "#!/bin/sh\necho went\n",
    "build.sh": "#!/bin/sh\necho compiling one\ncp source.sh go.sh\n",
  });
  for (const file of ["source.sh", "build.sh"]) await chmod(join(folder, file), 0o755);
  const job = await app.ask<{ id: string }>("POST", "/jobs", { spec: folder, yes: true });
  const status = async () => (await app.ask<{ status: string }>("GET", `/jobs/${job.id}`)).status;
  await expect.poll(status).toBe("done");
  await app.set("fledge-made", { enabled: true });

  const card = page.getByRole("article", { name: "made" });
  await expect(card).toContainText("Not ready yet: its scripts were not allowed to run");
  await expect(card).toContainText("Has a problem");
  await expect(card).not.toContainText("Ready ·");
  await expectNoViolationsInBoth(page, "not-built-card");
  await app.openPlugin("made", "Overview");
  const note = page.getByRole("status").filter({ hasText: "Not ready yet" });
  await expect(note).toContainText("build");
  await expectNoViolationsInBoth(page, "not-built");
  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(page.getByText("Noch nicht fertig: Seine Skripte durften nicht laufen")).toBeVisible();
  await app.ask("PATCH", "/settings", { language: "en" });

  await note.getByRole("button", { name: "Run its scripts…" }).click();
  const asked = page.getByRole("dialog");
  await asked.getByRole("checkbox", { name: /script/i }).check();
  await asked.getByRole("button", { name: "Update", exact: true }).click();
  await expect(page.getByRole("heading", { name: "made is up to date" })).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
  await expect(note).toHaveCount(0);
});
