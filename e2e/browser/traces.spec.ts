import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { type App, expect, pluginFolder, test } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";

/** What a page must show as text and never take for markup. */
const hostile = `</script><img src=x onerror="document.title='owned'"><b>bold</b>`;

async function runTurn(app: App): Promise<void> {
  const { page } = app;
  await app.install(pluginFolder.narrower);
  await app.set("narrower", { enabled: true });
  await app.ask("PATCH", "/agents/helper", { policy: [{ tool: "shell", effect: "allow" }] });
  await app.script([
    { say: "I look.", call: { tool: "shell", input: { command: "rm -rf build" } } },
    { say: `Done. ${hostile}` },
    { say: "Nothing more." },
  ]);
  await page.getByRole("link", { name: "Debug" }).click();
  await app.send("Remove the old build output.");
  await expect(page.getByRole("tree", { name: "Timeline of the turn" })).toBeVisible();
  await expect(page.getByRole("log").getByText("Done.")).toBeVisible();
}

async function exported(
  page: Page,
  format: string,
  ...ticks: string[]
): Promise<{ name: string; path: string }> {
  await page.getByRole("button", { name: "Export" }).click();
  for (const tick of ticks) await page.getByRole("menuitemcheckbox", { name: tick }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: format }).click();
  const saved = await downloading;
  await expect(page.getByText(`${saved.suggestedFilename()} is in your downloads.`).first()).toBeVisible();
  return { name: saved.suggestedFilename(), path: await saved.path() };
}

test("a turn is saved as a page that opens anywhere, runs nothing and reads in both themes", async ({
  app,
}) => {
  const { page } = app;
  await page.setViewportSize({ width: 1440, height: 900 });
  await runTurn(app);
  await page.getByRole("button", { name: "Export" }).click();
  await expectNoViolationsInBoth(page, "the menu of exports");
  await page.keyboard.press("Escape");
  const { name, path } = await exported(page, "One page");
  expect(name).toMatch(/^patchbay-trace-helper-.*\.html$/);
  const written = await readFile(path, "utf8");
  expect(written).not.toContain("<img");

  const other = await page.context().newPage();
  const asked: string[] = [];
  other.on("request", (request) => asked.push(request.url()));
  await other.setContent(written);
  await expect(other.getByRole("heading", { name: "Remove the old build output." }).first()).toBeVisible();
  await expect(other.getByText(hostile).first()).toBeVisible();
  expect(await other.title()).not.toBe("owned");
  expect(asked.filter((url) => !url.startsWith("about:"))).toEqual([]);
  const changed = other.locator("details", { hasText: "changed it" }).first();
  await changed.locator("summary").click();
  await expect(changed.getByText("rm -rf build").first()).toBeVisible();
  await expect(changed.getByText("build/old").first()).toBeVisible();
  await other.close();
  expect(pathToFileURL(path).protocol).toBe("file:");
});

test("spans are saved without what was said unless it is ticked, and the whole conversation when that is", async ({
  app,
}) => {
  const { page } = app;
  await page.setViewportSize({ width: 1440, height: 900 });
  await runTurn(app);
  await app.send("And now?");
  await expect(page.getByRole("log").getByText("Nothing more.")).toBeVisible();

  const spans = await readFile((await exported(page, "OpenTelemetry spans")).path, "utf8");
  expect(spans).toContain("invoke_agent");
  expect(spans).not.toContain("And now?");
  const whole = await readFile(
    (await exported(page, "OpenTelemetry spans", "What was said in the spans, too", "The whole conversation"))
      .path,
    "utf8",
  );
  expect(whole).toContain("And now?");
  expect(whole).toContain("Remove the old build output.");
  // The ticks stay for the next one.
  const lines = await readFile((await exported(page, "Lines of JSON")).path, "utf8");
  expect(JSON.parse(lines.slice(0, lines.indexOf("\n"))).turns).toHaveLength(2);
});

test("traces go to a receiver only after the person said where, and what became of them is said", async ({
  app,
}) => {
  const { page } = app;
  const got: { key: string | undefined; text: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      got.push({ key: request.headers.authorization, text: Buffer.concat(chunks).toString("utf8") });
      response.end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    await app.ask("PUT", "/secrets/COLLECTOR", { name: "COLLECTOR", value: "sesame-4711" });
    await app.script([{ say: "Hello." }]);
    await app.goTo("/agents/helper/settings/diagnostics");
    const block = page.locator("section").filter({ hasText: "Traces to OpenTelemetry" }).last();
    await expect(block.getByText("nothing of it leaves this computer")).toBeVisible();
    await block.getByRole("button", { name: "Turn on" }).click();
    await block.getByRole("button", { name: "Turn on" }).click();
    await expect(block.getByText("This must be an address that begins with")).toBeVisible();
    await block.getByLabel("Address of the receiver").fill(`127.0.0.1:${port}`);
    await block.getByLabel("Key", { exact: false }).first().selectOption("COLLECTOR");
    await expectNoViolationsInBoth(page, "the form of the receiver");
    await block.getByRole("button", { name: "Turn on" }).click();
    await expect(block.getByText("It can be reached")).toBeVisible();
    await expect(block.getByText(`http://127.0.0.1:${port}`)).toBeVisible();

    await page.getByRole("link", { name: "Debug" }).click();
    await app.send("Say hello");
    await expect(page.getByRole("log").getByText("Hello.")).toBeVisible();
    await app.goTo("/agents/helper/settings/diagnostics");
    await expect(block.getByText("One turn sent")).toBeVisible();
    expect(got.map(({ key }) => key)).toEqual(["Bearer sesame-4711", "Bearer sesame-4711"]);
    expect(got[1]?.text).toContain("invoke_agent Helper");
    expect(got[1]?.text).not.toContain("Say hello");

    server.closeAllConnections();
    server.close();
    await block.getByRole("button", { name: "Change" }).click();
    await block.getByLabel("Also what was said").check();
    await block.getByRole("button", { name: "Save" }).click();
    await expect(block.getByText("It could not be reached: nothing listens at this address.")).toBeVisible();
    await block.getByRole("button", { name: "Turn off" }).click();
    await expect(block.getByText("nothing of it leaves this computer")).toBeVisible();
  } finally {
    server.close();
  }
});
