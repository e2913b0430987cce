import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { type App, expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

/** A turn in which one plugin narrows a command and takes a word out of the answer. */
async function runTurn(app: App): Promise<void> {
  const { page } = app;
  for (const key of ["narrower", "guard"] as const) {
    await app.install(pluginFolder[key]);
    await app.set(key, { enabled: true });
  }
  await app.ask("PATCH", "/agents/helper", { policy: [{ tool: "shell", effect: "ask" }] });
  await app.script([
    { say: "I look.", call: { tool: "shell", input: { command: "rm -rf build" } } },
    { call: { tool: "shell", input: { command: "git push --force" } } },
    { say: "Done. The secret plan worked." },
    { say: "Nothing to do." },
  ]);
  await page.getByRole("link", { name: "Debug" }).click();
  await app.send("Remove the old build output.");
  await page.getByRole("button", { name: "Allow once" }).click();
  await expect(page.getByRole("log").getByText("Done. The [removed] worked.")).toBeVisible();
}

const treeOf = (page: Page) => page.getByRole("tree", { name: "Both turns, row by row" });
const status = (page: Page) =>
  page.getByRole("region", { name: "Two turns side by side" }).getByRole("status");

/** The rows that differ: how they are marked, and what they are called on the side that has them. */
function marked(page: Page): Promise<string[]> {
  return treeOf(page).evaluate((tree) =>
    [...tree.querySelectorAll<HTMLElement>("[role=treeitem]:not([data-differs=same])")].map((row) => {
      const { differs, own } = row.dataset;
      const name = row.querySelector("[data-part=name]")?.textContent;
      return `${own === "true" ? "" : "→ "}${differs}: ${name}`;
    }),
  );
}

test("a turn is run again, without a plugin, side by side, and kept as a test that the terminal judges", async ({
  app,
}) => {
  const { page } = app;
  await page.setViewportSize({ width: 1500, height: 1000 });
  await runTurn(app);
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  const replay = page.getByRole("tab", { name: "Replay", selected: true });
  await expect(replay).toBeInViewport({ ratio: 0.99 });
  const form = page.getByRole("form", { name: "Run a turn again" });

  // Everything recorded, then with the plugins asked: the same.
  await form.getByRole("button", { name: "Run again" }).click();
  await expect(status(page)).toHaveText("The same, apart from times");
  await form.getByRole("group", { name: "Plugins" }).getByText("Really asked").click();
  await form.getByRole("button", { name: "Run again" }).click();
  await expect(page.getByRole("combobox", { name: "Right" }).locator("option")).toHaveCount(4);
  await expect(status(page)).toHaveText("The same, apart from times");
  expect(await marked(page)).toEqual([]);

  // Without a plugin: what it did is missing, and the rest follows.
  await form.getByRole("button", { name: "Confirm rm" }).click();
  await form.getByRole("button", { name: "Run again" }).click();
  await expect(status(page)).toHaveText("3 differences and 9 that follow");
  await page.getByRole("button", { name: "Only differences" }).click();
  const rows = await marked(page);
  expect(rows).toEqual([
    "→ changed: Remove the old build output.",
    "missing: message.final · Confirm rm",
    "→ changed: shell",
    "missing: tool.before · Confirm rm",
    "→ missing: tool.before · Guard",
    "→ changed: Approval",
    "→ missing: The tool itself",
    "→ changed: Model call",
    "→ changed: Model call",
    "missing: message.final · Confirm rm",
  ]);

  // The keyboard leads through the rows, and each says what differs.
  await treeOf(page).getByRole("treeitem").first().focus();
  const shell = treeOf(page)
    .getByRole("treeitem", { name: /^shell/ })
    .first();
  for (let press = 0; press < 20; press += 1) {
    if ((await shell.getAttribute("aria-selected")) === "true") break;
    await page.keyboard.press("ArrowDown");
  }
  const card = page.getByRole("region", { name: "What differs: shell" });
  await expect(card).toContainText("The arguments after the hooks are different.");
  await expect(card).toContainText("rm -r build/old");
  await expect(card).toContainText("rm -rf build");
  await expectNoViolationsInBoth(page, "the replay");

  // Kept as a test, and judged by the terminal without the app's help.
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    form.getByRole("button", { name: "Keep as a test" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("remove-the-old-build-output.patchbay-test.json");
  const folder = await mkdtemp(join(tmpdir(), "patchbay-kept-"));
  const path = join(folder, "kept.json");
  await file.saveAs(path);
  const run = promisify(execFile);
  const patchbay = (home: string, ...args: string[]) =>
    run(process.execPath, [resolve("bin/patchbay"), "--home", home, "agent", "replay", path, ...args], {
      env: { ...process.env, NO_COLOR: "1" },
    });
  const elsewhere = join(folder, "home");
  expect((await patchbay(elsewhere)).stdout).toBe("✓ “Remove the old build output.” is as it was.\n");
  expect((await patchbay(app.home, "--live", "--agent", "helper")).stdout).toContain("as it was");
  const failed = await patchbay(app.home, "--live", "--agent", "helper", "--without", "narrower").then(
    () => null,
    (error: { code: number; stdout: string }) => error,
  );
  expect(failed?.code).toBe(1);
  expect(failed?.stdout).toContain("Hook tool.before@v1 (narrower): is not there any more");
  expect(failed?.stdout).toContain("command: “echo rm -r build/old” → “rm -rf build”");
  expect(await readFile(path, "utf8")).toContain('"patchbayReplay": 1');
  await rm(folder, { recursive: true, force: true });
});

test("tools are really run only after the person was told which; another turn can stand on the right", async ({
  app,
}) => {
  const { page } = app;
  await page.setViewportSize({ width: 1500, height: 1000 });
  await runTurn(app);
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  const form = page.getByRole("form", { name: "Run a turn again" });
  await form.getByRole("group", { name: "Tools" }).getByText("Really run").click();
  await form.getByRole("button", { name: "Run again" }).click();
  const question = page.getByRole("dialog", { name: "Really run the tools again?" });
  await expect(question).toContainText("These tools run once more and do what they do: shell.");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("combobox", { name: "Right" }).locator("option")).toHaveCount(2);
  await form.getByRole("button", { name: "Run again" }).click();
  await question.getByRole("button", { name: "Run again" }).click();
  await expect(page.getByRole("combobox", { name: "Right" }).locator("option")).toHaveCount(3);

  await app.send("And now?");
  await expect(page.getByRole("log").getByText("Nothing to do.")).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Right" }).locator("option")).toHaveCount(4);
  await page
    .getByRole("combobox", { name: "Right" })
    .selectOption({ label: (await labelOf(page, "And now?")) ?? "" });
  await expect(status(page)).toContainText("One difference");
  const rows = await marked(page);
  expect(rows[0]).toBe("changed: Remove the old build output.");
  expect(rows).toContain("→ missing: shell");
});

async function labelOf(page: Page, words: string): Promise<string | null> {
  return page
    .getByRole("combobox", { name: "Right" })
    .locator("option", { hasText: words })
    .first()
    .textContent();
}

test("a turn is run again with a version of a plugin that is kept", async ({ app }) => {
  const { page } = app;
  await page.setViewportSize({ width: 1500, height: 1000 });
  const folder = await mkdtemp(join(tmpdir(), "patchbay-herald-"));
  const herald = (version: string, bye: string) =>
    Promise.all([
      writeFile(
        join(folder, "package.json"),
        JSON.stringify({
          name: "patchbay-plugin-herald",
          version,
          type: "module",
          exports: "./index.js",
          keywords: ["patchbay-plugin"],
        }),
      ),
      writeFile(
        join(folder, "index.js"),
        `export default {
          manifestVersion: 1, key: "herald", displayName: "Herald", description: "Says goodbye.",
          hooks: {
            events: ["message.final@v1"],
            start: async () => ({
              handlers: { "message.final@v1": ({ text }) => ({ text: text + " ${bye}" }) },
              stop: async () => {},
            }),
          },
        };`,
      ),
    ]);
  await herald("1.0.0", "Farewell.");
  await app.install(folder);
  await app.set("herald", { enabled: true });
  await herald("2.0.0", "Goodbye.");
  await app.install(folder);
  await app.script([{ say: "Done." }]);
  await page.getByRole("link", { name: "Debug" }).click();
  await app.send("Work.");
  await expect(page.getByRole("log").getByText("Done. Goodbye.")).toBeVisible();
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  const form = page.getByRole("form", { name: "Run a turn again" });
  await form.getByRole("button", { name: "Herald" }).click();
  const version = form.getByRole("combobox", { name: "What of Herald" });
  await expect(version.locator("option")).toHaveText(["Left out", "Version 1.0.0"]);
  await version.selectOption("Version 1.0.0");
  await form.getByRole("button", { name: "Run again" }).click();
  await expect(status(page)).toContainText("One difference");
  expect(await marked(page)).toContain("changed: message.final · Herald");
  await expectNoViolationsInBoth(page, "a replay with another version");
  await rm(folder, { recursive: true, force: true });
});
