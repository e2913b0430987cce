import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { type App, pluginFolder } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";
import { confirmAsPerson } from "../support/confirm.ts";
import { ServedCore } from "../support/core.ts";
import { test as base, expect } from "../support/served.ts";

/** A server on this computer, which no plugin was granted. */
const test = base.extend<{ place: string }>({
  place: async ({ baseURL: _ }, use) => {
    const server: Server = createServer((_request, answer) => answer.end("here I am"));
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    await use(`127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.closeAllConnections();
    server.close();
  },
});

const explorer = { agentId: "helper", key: "explorer" };
const page = (tab: string) => `/agents/${explorer.agentId}/plugins/${explorer.key}/${tab}`;
const path = `/agents/${explorer.agentId}/plugins/${explorer.key}`;

async function callTool(app: App, name: "reach" | "read", input: Record<string, string>): Promise<string> {
  const { content } = await app.ask<{ content: { text: string }[] }>(
    "POST",
    `/agents/helper/tools/explorer__${name}/call`,
    { input, yes: true },
  );
  return content[0]?.text ?? "";
}

async function installed(app: App): Promise<void> {
  await app.closeWelcome();
  await app.install(pluginFolder.explorer);
  await app.set("explorer", { enabled: true });
}

/** A titled block of the page. */
const blockOf = (screen: Page, title: string) =>
  screen.locator("section").filter({ has: screen.getByRole("heading", { name: title, exact: true }) });

test("the card of an installation says what holds a plugin to what it asks for", async ({
  page,
  app,
  serve,
}) => {
  await page.goto((await serve()).link);
  await app.closeWelcome();
  await page.getByRole("button", { name: "Add plugin" }).first().click();
  await page.getByRole("textbox", { name: "Name, path or address of a plugin" }).fill(pluginFolder.explorer);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Install Explorer?" })).toBeVisible();
  await expect(page.getByText(/^bubblewrap \S+ holds it to that on this computer\.$/)).toBeVisible();
});

test("what a plugin may reach is edited on its page, and it runs with it", async ({
  page: screen,
  app,
  serve,
}) => {
  await screen.goto((await serve()).link);
  await installed(app);
  const { workspace } = await app.ask<{ workspace: string }>("GET", "/agents/helper");
  await mkdir(workspace, { recursive: true });
  const note = join(workspace, "note.txt");
  await writeFile(note, "from the workspace");
  expect(await callTool(app, "read", { path: note })).toBe("from the workspace");

  await app.goTo(page("permissions"));
  const files = screen.getByRole("region", { name: "Files" });
  await expect(files.getByRole("radio", { name: "Read and change" })).toBeChecked();
  await expect(screen.getByText(/^bubblewrap \S+ holds plugins here/)).toBeVisible();
  await expectNoViolationsInBoth(screen, "permissions");
  await files.getByText("Nothing of it").click();
  const bar = screen.getByRole("region", { name: "Not saved yet" });
  await expect(bar).toContainText("Less: changing the workspace");
  await bar.getByRole("button", { name: "Save" }).click();
  await expect(bar).toHaveCount(0);
  expect(await callTool(app, "read", { path: note })).toContain("ENOENT");
  await expect(files.getByText("It asks for more than you grant:")).toBeVisible();

  await files.getByRole("button", { name: "Allow changing the workspace" }).click();
  await expect(files.getByRole("radio", { name: "Read and change" })).toBeChecked();
  expect(await callTool(app, "read", { path: note })).toBe("from the workspace");

  const network = screen.getByRole("region", { name: "Network" });
  await network.getByRole("textbox", { name: "Add a host" }).fill("not a host");
  await network.getByRole("button", { name: "Add", exact: true }).first().click();
  await expect(network.getByText("Write a host as api.example.com")).toBeVisible();
  await network.getByRole("textbox", { name: "Add a host" }).fill("*.Example.NET");
  await network.getByRole("button", { name: "Add", exact: true }).first().click();
  await bar.getByRole("button", { name: "Grant" }).click();
  await expect(bar).toHaveCount(0);
  const { grants } = await app.ask<{ grants: unknown }>("GET", `${path}/permissions`);
  expect(grants).toMatchObject({ network: { reach: "hosts", hosts: ["api.example.com", "*.example.net"] } });

  await app.goTo(page("overview"));
  const reach = blockOf(screen, "What it may reach");
  await expect(reach).toContainText(
    "Can reach these hosts, and those in its settings: api.example.com, *.example.net",
  );
  await expect(reach).toContainText("Can read and write files in the agent's workspace, and nowhere else");
});

test("Patchbay asks about a host; no is the first answer, and always is kept", async ({
  page: screen,
  app,
  serve,
  place,
}) => {
  await screen.goto((await serve()).link);
  await installed(app);
  await app.goTo("/agents/helper/approvals");
  const question = screen.getByRole("form", { name: "Patchbay asks about Explorer" });

  const first = callTool(app, "reach", { url: `http://${place}/` });
  await expect(question).toContainText(`May Explorer reach ${place}?`);
  await expect(question).toContainText("Patchbay asks, not the plugin");
  await expect(question).toContainText("This host is on this computer.");
  await expectNoViolationsInBoth(screen, "a question about a host");
  await question.getByRole("button", { name: "Do not allow" }).focus();
  await screen.keyboard.press("Enter");
  expect(await first).toContain("EACCES");
  await expect(question).toHaveCount(0);

  // The answer holds while it runs.
  await app.ask("POST", `${path}/restart`);
  const second = callTool(app, "reach", { url: `http://${place}/` });
  await question.getByRole("button", { name: "Always" }).click();
  expect(await second).toBe("here I am");
  await app.goTo(page("activity"));
  await expect(screen.getByText(`You always allow it to reach ${place}.`)).toBeVisible();
  await expect(screen.getByText(`A wall kept it from reaching ${place}.`)).toBeVisible();
  await screen.getByRole("link", { name: "Show permissions" }).click();
  await expect(
    screen.getByRole("region", { name: "Allowed hosts" }).getByText(place, { exact: true }),
  ).toBeVisible();
  await expect(screen.getByRole("region", { name: "Reached" })).toContainText(place);
});

test("a refusal is seen live, on the page and on the card, and can be allowed there", async ({
  page: screen,
  app,
  serve,
  place,
}) => {
  await screen.goto((await serve()).link);
  await installed(app);
  const { grants } = await app.ask<{ grants: { network: object } }>("GET", `${path}/permissions`);
  const none = { ...grants, network: { reach: "none", hosts: [], refused: [] } };
  await app.ask("POST", `${path}/permissions/narrow`, { grants: none });
  await expect(app.card("Explorer")).toBeVisible();
  expect(await callTool(app, "reach", { url: `http://${place}/` })).toContain("EACCES");
  await expect(app.card("Explorer").getByText(`Refused just now: ${place}`)).toBeVisible();

  await app.goTo(page("permissions"));
  const refused = screen.getByRole("region", { name: "Refused", exact: true });
  await expect(refused).toContainText("once");
  expect(await callTool(app, "reach", { url: `http://${place}/` })).toContain("EACCES");
  await expect(refused).toContainText("2 times");
  await refused.getByRole("button", { name: `Allow ${place}` }).click();
  await expect(screen.getByRole("radio", { name: "These hosts" })).toBeChecked();
  expect(await callTool(app, "reach", { url: `http://${place}/` })).toBe("here I am");
});

test("on a machine without a sandbox nothing starts until the person decides, and they are told", async ({
  page: screen,
  app,
  home,
}) => {
  const launcher = join(import.meta.dirname, "..", "support", "without-walls.mjs");
  const bin = join(import.meta.dirname, "..", "..", "bin", "patchbay");
  const core = await ServedCore.run([launcher, bin, "serve", "--home", home], home);
  try {
    await screen.goto(core.link);
    await confirmAsPerson(screen, core.codes);
    await app.closeWelcome();
    const banner = screen.getByRole("status").filter({ hasText: "Plugins do not start" });
    await expect(banner).toContainText("bubblewrap is not installed on this machine.");
    await expect(banner).toContainText("sudo apt-get install bubblewrap");
    await expect(banner.getByRole("button", { name: "Copy the command" })).toBeVisible();
    await expectNoViolationsInBoth(screen, "a machine without a sandbox");
    // Before a plugin is placed it is started for a look, which needs walls, too.
    const job = await app.ask<{ id: string }>("POST", "/jobs", { spec: pluginFolder.explorer, yes: true });
    await expect
      .poll(() => app.ask("GET", `/jobs/${job.id}`))
      .toMatchObject({ status: "failed", problem: { code: "WALLS_MISSING" } });
    const doctor = await app.ask<{ name: string; ok: boolean; text: string }[]>("GET", "/doctor");
    expect(doctor.find(({ name }) => name === "Walls")).toMatchObject({ ok: false });

    await banner.getByRole("button", { name: "Look again" }).click();
    await expect(banner).toBeVisible();
    await banner.getByRole("button", { name: "Run without walls…" }).click();
    const dialog = screen.getByRole("dialog", { name: "Run plugins without walls?" });
    await expect(dialog).toContainText("your keys");
    await dialog.getByRole("button", { name: "Run without walls" }).click();
    await expect(banner).toHaveCount(0);
    await installed(app);
    // It runs. What Node itself keeps from it is the second layer, which stays.
    expect(await callTool(app, "read", { path: "/etc/hostname" })).toContain("--allow-fs-read");
    expect(await app.ask("GET", `${path}/permissions`)).toMatchObject({ held: false });
    await app.goTo(page("overview"));
    const asks = blockOf(screen, "What it asks for");
    await expect(asks).toContainText("Says that it reaches these hosts: api.example.com");
    await expect(asks).toContainText("Nothing on this computer would hold it to that.");
    await app.goTo(page("permissions"));
    await expect(screen.getByText("Nothing holds plugins on this computer.")).toBeVisible();
    await screen.getByRole("button", { name: "Require walls again" }).click();
    await expect(screen.getByText("Plugins do not start").first()).toBeVisible();
    await expect(callTool(app, "read", { path: "/etc/hostname" })).rejects.toThrow("WALLS_MISSING");
  } finally {
    await core.stop();
  }
});

test("a wall that leaves something open says so on the card, on the plugin's page and in the doctor", async ({
  page: screen,
  app,
  home,
}) => {
  const program = join(import.meta.dirname, "..", "..", "test", "support", "behind-other-walls.ts");
  const core = await ServedCore.run([program, "serve", "--home", home], home);
  const open = /which programs a plugin starts is not limited/;
  try {
    await screen.goto(core.link);
    await app.closeWelcome();
    await screen.getByRole("button", { name: "Add plugin" }).first().click();
    await screen
      .getByRole("textbox", { name: "Name, path or address of a plugin" })
      .fill(pluginFolder.explorer);
    await screen.getByRole("button", { name: "Continue" }).click();
    await expect(screen.getByText(/\(sandbox-runtime 0\.0\.83\) holds it to that/)).toBeVisible();
    await expect(screen.getByText("What this wall leaves open:")).toBeVisible();
    await expect(screen.getByText(open)).toBeVisible();
    await expectNoViolationsInBoth(screen, "a card with gaps");
    await screen.keyboard.press("Escape");
    await installed(app);
    await app.goTo(page("permissions"));
    await expect(screen.getByText(open)).toBeVisible();
    const doctor = await app.ask<{ name: string; ok: boolean; text: string }[]>("GET", "/doctor");
    expect(doctor.find(({ name }) => name === "Walls")).toMatchObject({
      ok: true,
      text: expect.stringMatching(open),
    });
  } finally {
    await core.stop();
  }
});
