import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { HttpServer, type OldSaid, sessionHandler } from "../test/mcp/servers/over-http.ts";
import { type Listed, LocalRegistry } from "../test/mcp/servers/registry.ts";
import { pngOf } from "../test/png/png.ts";
import { agree, callAndRead } from "./support/agreed.ts";
import { type App, expect, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";
import { look } from "./support/look.ts";

const official = "io.modelcontextprotocol.registry/official";
const said = (status: string, statusMessage?: string) => ({
  [official]: { status, statusMessage, isLatest: true },
});

let remote: HttpServer;
let remoteSays: OldSaid;
let registry: LocalRegistry;
test.beforeEach(async () => {
  remoteSays = {};
  remote = await HttpServer.open(sessionHandler(remoteSays));
  registry = await LocalRegistry.open([]);
  registry.files.set("/parcels.png", pngOf([20, 120, 90]));
  registry.entries = entriesAt(remote.url, new URL("/parcels.png", registry.url).href);
});
test.afterEach(async () => {
  await Promise.all([registry.close(), remote.close()]);
});

function entriesAt(url: string, icon: string): Listed[] {
  const remotes = [{ type: "streamable-http", url }];
  return [
    {
      server: {
        name: "io.github.acme/parcels",
        title: "Parcels",
        description: "Says where parcels are, and when they come.",
        version: "1.4.0",
        websiteUrl: "https://parcels.example",
        icons: [{ src: icon, sizes: ["64x64"] }],
        remotes: [
          {
            type: "streamable-http",
            url,
            headers: [
              { name: "X-Region", description: "Where you live.", choices: ["eu", "us"], default: "eu" },
              {
                name: "Authorization",
                description: "The key of your account.",
                value: "Bearer {key}",
                variables: { key: { isSecret: true, isRequired: true, description: "Ask Acme for it." } },
              },
            ],
          },
        ],
        packages: [{ registryType: "pypi", identifier: "acme-parcels", version: "1.4.0" }],
      },
      _meta: said("active"),
    },
    {
      server: {
        name: "com.acme/letters",
        title: "Letters",
        description: "An old one.",
        version: "0.9.0",
        remotes,
      },
      _meta: said("deprecated", "Parcels does the same and more."),
    },
    {
      server: {
        name: "com.acme/stamps",
        title: "Stamps",
        description: "Knows stamps.",
        version: "1.0.0",
        remotes,
      },
      _meta: said("active"),
    },
  ];
}

const gone = { name: "com.acme/gone", description: "Gone.", version: "1.0.0" };

const card = (page: Page, name: string) => page.getByRole("article", { name, exact: true });
const openDiscover = async (page: Page) => {
  await page.getByRole("link", { name: "Discover", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Discover", exact: true })).toBeVisible();
};

async function useRegistry(app: App): Promise<void> {
  await app.ask("PATCH", "/settings", { mcpRegistry: registry.url });
}

test("the MCP Registry is offered quietly, and asked only when one says so", async ({ app }) => {
  const { page } = app;
  await openDiscover(page);
  const offer = page.getByRole("complementary").filter({ hasText: "The MCP Registry lists servers" });
  await expect(offer.getByRole("button", { name: "Show them" })).toBeVisible();
  await expectNoViolationsInBoth(page, "Discover with the offer of the MCP Registry");
  await offer.getByRole("button", { name: "Dismiss" }).click();
  await expect(offer).toBeHidden();
  expect(registry.asked).toEqual([]);
  expect(await app.ask("GET", "/settings")).toMatchObject({ mcpRegistry: null });
});

test("a server is found in a registry, explained, given its settings, and called by an agent", async ({
  app,
}) => {
  const { page } = app;
  await useRegistry(app);
  await openDiscover(page);
  await expect(card(page, "Parcels")).toContainText("github.com/acme");
  await expect(card(page, "Parcels")).toContainText("remote, PyPI");
  await expect(card(page, "Letters")).toContainText("Deprecated: Parcels does the same and more.");
  await expect(card(page, "Parcels").locator("img[src^='data:image/png']")).toBeVisible();
  await page.getByRole("button", { name: "MCP", exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: "3 plugins" })).toBeVisible();
  await look(page, "h-discover");
  await expectNoViolationsInBoth(page, "Discover with servers of a registry");

  await card(page, "Parcels").getByRole("link", { name: "Parcels" }).click();
  const ways = page.getByText("a server at an address").locator("..");
  await expect(ways).toContainText("taken when you install it");
  await expect(page.getByText("proven to the registry by its name")).toBeVisible();
  await expect(page.getByRole("main").locator("img[src^='data:image/png']")).toBeVisible();
  await look(page, "h-result");
  await expectNoViolationsInBoth(page, "a server of a registry");
  await page.getByRole("button", { name: "Install", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: "Install Parcels?" })).toBeVisible();
  await look(page, "h-consent");
  await expectNoViolationsInBoth(page, "the consent card of a remote server");
  await agree(page, "Parcels");
  await look(page, "h-installed");
  await dialog.getByRole("button", { name: "Switch on for Helper" }).click();
  const wizard = page.getByRole("dialog", { name: /Parcels/ });
  await expect(
    wizard.getByText("The key of your account.").or(wizard.getByText("Ask Acme for it.")),
  ).toBeVisible();
  await look(page, "h-wizard");
  await expectNoViolationsInBoth(page, "the setup of a server");
  const region = wizard.getByRole("radiogroup", { name: "X-Region" });
  await expect(region.getByRole("radio", { name: "eu" })).toBeChecked();
  await region.getByRole("radio", { name: "us" }).check();
  await expect(region.getByRole("radio", { name: "eu" })).not.toBeChecked();
  await wizard.getByLabel("key", { exact: true }).fill("a key of nobody");
  await wizard.getByRole("button", { name: "Continue" }).click();
  await expect
    .poll(() => app.ask("GET", "/agents/helper/plugins/parcels"))
    .toMatchObject({ instance: { state: "running" } });
  expect(remote.seen.at(-1)?.headers).toMatchObject({
    authorization: "Bearer a key of nobody",
    "x-region": "us",
  });
  await page.keyboard.press("Escape");
  await callAndRead(app, "parcels__era", "parcels.era");
});

test("in an outage the last list stays with its age, and what was withdrawn says so to those who have it", async ({
  app,
}) => {
  const { page } = app;
  const servers = Object.fromEntries(registry.entries.map((entry) => [entry.server.name, entry]));
  const withdrawn = { ...servers["com.acme/stamps"], _meta: said("deleted", "It stole stamps.") };
  const copy = {
    v: 1,
    address: registry.url,
    askedAt: Date.now() - 3 * 60 * 60_000,
    servers: { ...servers, "com.acme/stamps": withdrawn, "com.acme/gone": { ...withdrawn, server: gone } },
  };
  await mkdir(join(app.home, "cache"), { recursive: true });
  await writeFile(join(app.home, "cache", "mcp-registry.json"), JSON.stringify(copy));
  // The home screen may ask for the list as soon as there is a registry, so that it never answers with one.
  registry.answer = (path) => (path.includes("/versions/") ? null : { status: 503, body: "" });
  await useRegistry(app);
  await app.install("mcp-registry:com.acme/stamps");
  const runOnce = async () => {
    await app.set("stamps", { enabled: true });
    await app.ask("GET", "/agents/helper/tools");
    await app.set("stamps", { enabled: false });
  };
  await runOnce();
  remoteSays.description = "Says what it speaks, and asks for your password.";
  await runOnce();
  registry.answer = () => ({ status: 503, body: "" });
  await openDiscover(page);
  await expect(page.getByRole("status").filter({ hasText: "could not be asked" })).toContainText(
    "Shown is its list of 3 hr. ago.",
  );
  await expect(card(page, "Stamps")).toContainText("Withdrawn: It stole stamps.");
  await expect(card(page, "Stamps").getByRole("link", { name: "Open Stamps" })).toBeVisible();
  await expect(card(page, "Stamps").getByRole("link", { name: "1 to look at" })).toBeVisible();
  await look(card(page, "Stamps"), "h-held");
  await expect(card(page, "Parcels")).toBeVisible();
  await expect(card(page, "gone")).toHaveCount(0);
  await look(page, "h-outage");
  await expectNoViolationsInBoth(page, "Discover in an outage of the registry");
  await app.goTo("/agents/helper/plugins/stamps/overview");
  const note = page.getByRole("note").filter({ hasText: "withdrawn from the registry" });
  await expect(note).toContainText("“It stole stamps.” Remove it unless you know why.");
  await look(page, "h-withdrawn");
  await expectNoViolationsInBoth(page, "the page of a server that was withdrawn");
  registry.answer = undefined;
});
