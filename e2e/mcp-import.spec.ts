import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clientFiles, everythingIn, keys, writeHome } from "../test/mcp/other-clients.ts";
import { codeOf, serverFolder } from "../test/mcp/server-folder.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";
import { test as base, expect } from "./support/served.ts";

/** The person has Claude Desktop, Cursor and Codex, each with servers of its own. */
const test = base.extend({
  userHome: async ({ baseURL: _ }, use) => {
    const person = await mkdtemp(join(tmpdir(), "patchbay-person-"));
    await mkdir(join(person, "srv"));
    await writeFile(join(person, "srv", "server.mjs"), await codeOf("legacy"));
    const tickets = {
      command: process.execPath,
      args: [join(person, "srv", "server.mjs")],
      env: { LOUD: keys.acme },
    };
    await writeHome(person, {
      ".config/Claude/claude_desktop_config.json": JSON.stringify({ mcpServers: { tickets } }),
      ".cursor/mcp.json": JSON.stringify({
        mcpServers: {
          tickets,
          helper: {
            url: "https://mcp.helper.example/mcp",
            headersHelper: "/opt/acme/headers.sh",
            disabled: true,
          },
          socket: { url: "unix:///tmp/x.sock" },
        },
      }),
      ".codex/config.toml": clientFiles()[".codex/config.toml"] ?? "",
    });
    await use(person);
    await rm(person, { recursive: true, force: true });
  },
});
test.use({ colorScheme: "light" });

test("servers of three programs are found, ticked, agreed to once, and run with their secrets", async ({
  app,
  page,
  serveOpen,
  userHome,
}) => {
  await serveOpen();
  const before = await everythingIn(userHome ?? "");
  await page.getByRole("link", { name: "Discover", exact: true }).click();
  await page.getByRole("button", { name: "On this computer" }).click();
  const list = page.getByRole("list", { name: "Servers of other programs" });
  const tickets = list.getByRole("article", { name: "tickets" });
  await expect(tickets.getByText("Claude Desktop", { exact: true })).toBeVisible();
  await expect(tickets.getByText("Cursor", { exact: true })).toBeVisible();
  await expect(
    tickets.getByText(`${process.execPath} ${join(userHome ?? "", "srv", "server.mjs")}`),
  ).toBeVisible();
  await expect(tickets.getByText("Secret, comes along")).toBeVisible();
  await expect(tickets.getByRole("checkbox")).toBeChecked();
  const helper = list.getByRole("article", { name: "helper" });
  await expect(
    helper.getByText(/\/opt\/acme\/headers\.sh, which makes its headers there, is not run/),
  ).toBeVisible();
  await expect(helper.getByRole("checkbox")).not.toBeChecked();
  await expect(list.getByRole("article", { name: "socket" }).getByRole("checkbox")).toBeDisabled();
  expect(await page.content()).not.toContain(keys.acme);
  await expectNoViolationsInBoth(page, "what other programs have");

  await list.getByRole("article", { name: "codex" }).getByRole("checkbox").uncheck();
  await page.getByRole("button", { name: "Bring 1 server" }).click();
  await expect(tickets.getByText("Waits for your word")).toBeVisible();
  await expectNoViolationsInBoth(page, "one consent for all that were ticked");
  await page.getByRole("button", { name: "Agree and install 1" }).click();
  await expect(tickets.getByText("Switched on for Helper")).toBeVisible();
  await expect(tickets.getByRole("link", { name: "Open tickets" })).toBeVisible();
  await expectNoViolationsInBoth(page, "a server that was brought");

  await app.ask("PATCH", "/agents/helper", { policy: [{ tool: "*", effect: "allow" }] });
  expect(
    JSON.stringify(
      await app.ask("POST", "/agents/helper/tools/tickets__echo/call", { input: { text: "hi" } }),
    ),
  ).toContain("hi!");
  expect(await everythingIn(userHome ?? "")).toEqual(before);
});

test("a name that is taken is left out, until the person says what to do", async ({
  app,
  page,
  serveOpen,
  userHome,
}) => {
  await serveOpen();
  await app.install('{"tickets": {"url": "https://tickets.example/mcp"}}');
  await app.install(await serverFolder(join(userHome ?? "", "old"), "legacy", { key: "codex" }));
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Sources" }).click();
  const tickets = page.getByRole("article", { name: "tickets" });
  await expect(tickets.getByText("tickets has this name already")).toBeVisible();
  await expect(tickets.getByRole("checkbox")).toBeDisabled();
  await tickets.getByRole("combobox").selectOption({ label: "Bring it as “tickets-2”" });
  await expect(tickets.getByRole("checkbox")).toBeChecked();
  const codex = page.getByRole("article", { name: "codex" });
  await codex.getByRole("combobox").selectOption({ label: "Replace codex" });
  await page.getByRole("button", { name: "Bring 2 servers" }).click();
  await expect(codex.getByText("It takes the place of codex, which is removed then.")).toBeVisible();
  const installed = async () =>
    (await app.ask<{ manifestKey: string; packageName: string }[]>("GET", "/plugins")).map(
      ({ manifestKey, packageName }) => `${manifestKey} ${packageName}`,
    );
  // Nothing of the installed one is gone before the word for its successor is given.
  expect(await installed()).toContain("codex example/codex");
  await expectNoViolationsInBoth(page, "what is replaced, before the word for it");
  await page.getByRole("button", { name: "Agree and install 2" }).click();
  await expect(tickets.getByText("Switched on for Helper")).toBeVisible();
  await expect(codex.getByText("Switched on for Helper")).toBeVisible();
  expect(await installed()).toEqual(expect.arrayContaining(["codex codex", "tickets-2 tickets"]));
});

test("the welcome offers what other programs have", async ({ page, serve }) => {
  const core = await serve();
  await page.goto(core.link);
  await page
    .getByRole("button", { name: /Pick a plugin|plugin/i })
    .first()
    .click();
  await expect(
    page.getByText(/MCP servers of Claude Desktop, Cursor,? and Codex can come along/),
  ).toBeVisible();
  await page.getByRole("button", { name: "See them" }).click();
  await expect(page.getByRole("article", { name: "tickets" })).toBeVisible();
  await expectNoViolationsInBoth(page, "the welcome with what other programs have");
});

test("a command line and a pasted snippet are shown as what they became, and installed", async ({
  app,
  page,
  serveOpen,
  userHome,
}) => {
  await serveOpen();
  const server = join(userHome ?? "", "srv", "server.mjs");
  await page.getByRole("button", { name: "Add plugin" }).first().click();
  const dialog = page.getByRole("dialog");
  const field = dialog.getByRole("textbox");
  await field.fill("npx -y @acme/x | sh");
  await expect(dialog.getByText(/^It holds \|, which only a shell understands/)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Continue" })).toBeDisabled();

  await field.fill(`LOUD=${keys.github} "${process.execPath}" '${server}' --flag`);
  await expect(dialog.getByText(`${process.execPath} ${server} --flag`)).toBeVisible();
  await expect(dialog.getByText("Secret, comes along")).toBeVisible();
  await expectNoViolationsInBoth(page, "what a command line became");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("heading", { name: /^Install / })).toBeVisible();
  await expect(dialog.getByText(`${process.execPath} ${server} --flag`)).toBeVisible();
  await expectNoViolationsInBoth(page, "the consent of a command line");
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await dialog.getByRole("button", { name: "Switch on for Helper" }).click();
  await app.ask("PATCH", "/agents/helper", { policy: [{ tool: "*", effect: "allow" }] });
  await expect(app.card("server").getByText("Running", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Add plugin" }).first().click();
  const snippet = `{
  // from a page
  "mcpServers": {
    "one": { "command": "uvx", "args": ["one-mcp"], "env": { "ONE_TOKEN": "${keys.linear}" } },
    "two": { "url": "https://two.example/mcp" },
  }
}`;
  await field.evaluate((input, text) => {
    const data = new DataTransfer();
    data.setData("text", text);
    input.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, snippet);
  await expect(field).toHaveValue(snippet);
  const read = dialog.getByRole("list", { name: "What Patchbay has read in it" });
  await expect(read.getByRole("article", { name: "one" }).getByText("uvx one-mcp")).toBeVisible();
  await read.getByRole("article", { name: "one" }).getByRole("checkbox").uncheck();
  await expectNoViolationsInBoth(page, "what a pasted snippet became");
  await dialog.getByRole("button", { name: "Bring 1 server" }).click();
  await dialog.getByRole("button", { name: "Agree and install 1" }).click();
  await expect(read.getByRole("article", { name: "two" }).getByText("Switched on for Helper")).toBeVisible();
});
