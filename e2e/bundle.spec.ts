import { zipSync } from "fflate";
import { codeOf } from "../test/mcp/server-folder.ts";
import { pngOf } from "../test/png/png.ts";
import { agree, callAndRead } from "./support/agreed.ts";
import { expect, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";
import { drop } from "./support/drop.ts";
import { look } from "./support/look.ts";

test("a bundle that is dropped on the window is explained, installed, and called by an agent", async ({
  app,
}) => {
  // It walks from the drop to a call, in two languages.
  test.setTimeout(120_000);
  const { page } = app;
  const manifest = {
    manifest_version: "0.3",
    name: "stamps-bundle",
    display_name: "Stamp box",
    version: "2.0.0",
    description: "Counts stamps, in a bundle.",
    author: { name: "Acme" },
    server: {
      type: "node",
      entry_point: "server/index.mjs",
      mcp_config: {
        command: "node",
        args: ["${__dirname}/server/index.mjs", "--only", "${user_config.kind}"],
      },
    },
    user_config: { kind: { type: "string", title: "Kind of stamps", default: "red" } },
    tools: [{ name: "echo", description: "Says it" }],
    icon: "icon.png",
    screenshots: ["album.png"],
    long_description:
      "## What it does\n\nIt counts **stamps** in albums.\n\n- by colour\n- by country\n\n![you](https://spy.example/pixel.png)",
    documentation: "https://stamps.example/docs",
    privacy_policies: ["https://stamps.example/privacy", "http://stamps.example/other"],
    localization: { resources: "texts/${locale}.json", default_locale: "en-US" },
  };
  const german = { description: "Zählt Briefmarken.", user_config: { kind: { title: "Art der Marken" } } };
  const zip = zipSync({
    "manifest.json": Buffer.from(JSON.stringify(manifest)),
    "texts/de.json": Buffer.from(JSON.stringify(german)),
    "icon.png": pngOf([178, 34, 52]),
    "album.png": pngOf([34, 98, 160], 320),
    server: { "index.mjs": Buffer.from(await codeOf("legacy")) },
  });
  const bytes = Buffer.concat([zip, Buffer.from("MCPB_SIG_V1\u0004\0\0\0DER!MCPB_SIG_END")]);
  await drop(page, { file: { name: "stamps.mcpb", bytes } });
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: "Install Stamp box?" })).toBeVisible();
  await expect(dialog.getByText("node server/index.mjs --only ‹kind›")).toBeVisible();
  await expect(dialog.getByText("not checked: the bundle is signed")).toBeVisible();
  await expect(dialog.getByRole("link", { name: "stamps.example/docs" })).toBeVisible();
  await expect(dialog.getByRole("link", { name: "stamps.example/privacy" })).toBeVisible();
  await expect(dialog.getByText("stamps.example/other")).toHaveCount(0);
  await dialog.getByText("In its author’s words").click();
  await expect(dialog.getByRole("heading", { name: "What it does" })).toBeVisible();
  await expect(dialog.locator("img[src*=spy], button:has-text('Show')")).toHaveCount(0);
  await look(page, "h-bundle");
  await expectNoViolationsInBoth(page, "the consent card of a bundle");
  await agree(page, "Stamp box");
  await dialog.getByRole("button", { name: "Switch on for Helper" }).click();
  await expect(dialog).toBeHidden();
  await callAndRead(app, "stamp-box__echo", "stamp-box.echo", { text: "three red ones" });
  await app.goTo("/agents/helper/plugins/stamp-box/overview");
  await expect(page.getByText("How it is started")).toBeVisible();
  const says = page
    .getByRole("region", { name: "What it says of itself" })
    .or(page.locator("section", { hasText: "What it says of itself" }))
    .first();
  await expect(says).toContainText("legacy");
  await expect(says).toContainText("with a handshake");
  await expect(says).toContainText("Ask for weather only where somebody lives.");
  await expect(page.getByRole("main").locator("img[src^='data:image/png']").first()).toBeVisible();
  await page.getByRole("button", { name: "Picture 1 of Stamp box" }).click();
  await expect(page.getByRole("dialog").getByRole("img", { name: "Picture 1 of Stamp box" })).toBeVisible();
  await page.keyboard.press("Escape");
  await look(page, "h-page");
  await look(says, "h-says");
  await expectNoViolationsInBoth(page, "the page of a server");
  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(page.getByRole("main").getByText("Zählt Briefmarken.").first()).toBeVisible();
  await expect(page.getByText("nicht geprüft: Das Bündel ist signiert")).toBeVisible();
  await app.goTo("/agents/helper/plugins/stamp-box/settings");
  await expect(page.getByLabel("Art der Marken")).toBeVisible();
});
