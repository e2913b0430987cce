import type { Locator, Page } from "@playwright/test";
import { HttpServer, sessionHandler } from "../test/mcp/servers/over-http.ts";
import { type Listed, LocalRegistry } from "../test/mcp/servers/registry.ts";
import { type App, expect, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

const official = "io.modelcontextprotocol.registry/official";
const said = (status: string, statusMessage?: string) => ({
  [official]: { status, statusMessage, isLatest: true },
});

let remote: HttpServer;
let registry: LocalRegistry;
test.beforeEach(async () => {
  remote = await HttpServer.open(sessionHandler());
  registry = await LocalRegistry.open(entriesAt(remote.url));
});
test.afterEach(async () => {
  await Promise.all([registry.close(), remote.close()]);
});

function entriesAt(url: string): Listed[] {
  const remotes = [{ type: "streamable-http", url }];
  return [
    {
      server: {
        name: "io.github.acme/parcels",
        title: "Parcels",
        description: "Says where parcels are, and when they come.",
        version: "1.4.0",
        websiteUrl: "https://parcels.example",
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

const card = (page: Page, name: string) => page.getByRole("article", { name, exact: true });
const openDiscover = async (page: Page) => {
  await page.getByRole("link", { name: "Discover", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Discover", exact: true })).toBeVisible();
};

/** Clicks through an installation that asks for nothing but consent. */
async function agree(page: Page, name: string): Promise<Locator> {
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: `Install ${name}?` })).toBeVisible();
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: `${name} is installed` })).toBeVisible();
  return dialog;
}

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
  await page.getByRole("button", { name: "MCP", exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: "3 plugins" })).toBeVisible();
  await page.screenshot({ path: "pictures/h-discover.png" });
  await expectNoViolationsInBoth(page, "Discover with servers of a registry");

  await card(page, "Parcels").getByRole("link", { name: "Parcels" }).click();
  const ways = page.getByText("a server at an address").locator("..");
  await expect(ways).toContainText("taken when you install it");
  await expect(page.getByText("proven to the registry by its name")).toBeVisible();
  await page.screenshot({ path: "pictures/h-result.png" });
  await expectNoViolationsInBoth(page, "a server of a registry");
  await page.getByRole("button", { name: "Install", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: "Install Parcels?" })).toBeVisible();
  await page.screenshot({ path: "pictures/h-consent.png" });
  await expectNoViolationsInBoth(page, "the consent card of a remote server");
  await agree(page, "Parcels");
  await page.screenshot({ path: "pictures/h-installed.png" });
  await dialog.getByRole("button", { name: "Switch on for Helper" }).click();
  await expect(dialog).toBeHidden();
  await app.goTo("/agents/helper/plugins/parcels/settings");
  await page.screenshot({ path: "pictures/h-settings.png" });
  await expectNoViolationsInBoth(page, "the settings of a server");
});
