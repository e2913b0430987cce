import { createServer } from "node:http";
import type { Page, WebSocketRoute } from "@playwright/test";
import { pluginFolder } from "../support/app.ts";
import { expectNoViolationsInBoth } from "../support/axe.ts";
import { withinASecond } from "../support/second.ts";
import { expect, test } from "../support/served.ts";

const connection = (page: Page) => page.locator("[data-connection]");
const banner = (page: Page) => page.locator("[data-banner=connection]");
test("a core that ends is missed within a second, and its successor is found without a new link", async ({
  page,
  app,
  serve,
  serveOpen,
}) => {
  const core = await serveOpen();
  await app.install(pluginFolder.mailbox);
  await app.set("mailbox", { enabled: true });
  const card = app.card("Mailbox");
  await expect(card.getByText("Running", { exact: true })).toBeVisible();

  await core.kill();
  await withinASecond((limit) =>
    expect(banner(page)).toContainText("The connection to Patchbay is lost. Reconnecting…", limit),
  );
  await expect(connection(page)).toHaveAttribute("data-connection", "lost");
  await expect(page.getByRole("main")).toHaveAttribute("aria-busy", "true");
  await card.getByRole("switch").click();
  await expect(card).toContainText("The connection to Patchbay was lost");
  await expect(card.getByRole("switch")).toBeChecked();

  const second = await serve();
  expect(new URL(second.link).origin).toBe(new URL(core.link).origin);
  await expect(connection(page)).toHaveAttribute("data-connection", "live");
  await expect(banner(page)).toBeHidden();
  await expect(card.getByText("Running", { exact: true })).toBeVisible();
  await second.stop();
  await withinASecond((limit) =>
    expect(banner(page)).toContainText("The connection to Patchbay is lost", limit),
  );

  const third = await serve("--new-token");
  await expect(banner(page)).toContainText("Patchbay was started with a new link.");
  await page.goto(third.link);
  await expect(connection(page)).toHaveAttribute("data-connection", "live");
  await expect(card.getByText("Running", { exact: true })).toBeVisible();
});

test("a core that falls silent is noticed within a second, and what was missed is there when it is back", async ({
  page,
  app,
  serveOpen,
}) => {
  const core = await serveOpen();
  await app.install(pluginFolder.mailbox);
  const card = app.card("Mailbox");
  await expect(card.getByText("Off", { exact: true })).toBeVisible();

  core.pause();
  await withinASecond((limit) => expect(banner(page)).toContainText("Patchbay does not answer.", limit));
  await expect(page.getByRole("main")).toHaveAttribute("aria-busy", "true");
  await expectNoViolationsInBoth(page, "a silent core");
  await card.getByRole("switch").click();
  core.resume();
  await withinASecond((limit) => expect(connection(page)).toHaveAttribute("data-connection", "live", limit));
  await expect(banner(page)).toBeHidden();
  await expect(card.getByText("Running", { exact: true })).toBeVisible();

  core.pause();
  await expect(banner(page)).toContainText("Reconnecting…", { timeout: 15_000 });
  core.resume();
  await app.set("mailbox", { config: { channel: { address: "later@example.com" } } });
  await expect(connection(page)).toHaveAttribute("data-connection", "live");
  await expect(card.getByText(/later@example.com/)).toBeVisible();
});

test("a connection that is cut is said so within a second and heals by itself", async ({
  page,
  app,
  serve,
}) => {
  const core = await serve();
  const sockets: WebSocketRoute[] = [];
  let open = true;
  await page.routeWebSocket(/\/rpc$/, (socket) => {
    sockets.push(socket);
    if (open) socket.connectToServer();
    else void socket.close();
  });
  await page.goto(core.link);
  await app.closeWelcome();
  await expect(connection(page)).toHaveAttribute("data-connection", "live");

  open = false;
  await sockets[0]?.close();
  await withinASecond((limit) => expect(banner(page)).toContainText("Reconnecting…", limit));
  await app.install(pluginFolder.mailbox);
  open = true;
  await expect(connection(page)).toHaveAttribute("data-connection", "live");
  await expect(app.card("Mailbox")).toBeVisible();
  expect(sockets.length).toBeGreaterThan(1);
});

test("a page without its link says what to do, and a token never stays in the address", async ({
  page,
  serve,
}) => {
  const core = await serve();
  await page.goto(new URL("/", core.link).href);
  await expect(page.getByRole("heading", { name: "This page needs its own link" })).toBeVisible();
  await page.goto("about:blank");
  await page.goto(core.link.replace(/link=.*/, "link=wrong"));
  await expect(page.getByRole("heading", { name: "This page needs its own link" })).toBeVisible();
  await page.goto("about:blank");
  await page.goto(core.link);
  await expect(page.getByRole("heading", { name: "Welcome to Patchbay" })).toBeVisible();
  expect(page.url()).not.toContain("link=");
  expect(page.url()).not.toContain(new URL(core.link).hash.slice("#link=".length));
  await page.reload();
  await expect(page.getByRole("heading", { name: "Welcome to Patchbay" })).toBeVisible();
});

test("a page shows its token to no program that took the place of Patchbay", async ({ page, serveOpen }) => {
  const core = await serveOpen();
  await expect(connection(page)).toHaveAttribute("data-connection", "live");
  await core.stop();
  await expect(connection(page)).toHaveAttribute("data-connection", "lost");

  const asked: { url: string; headers: string }[] = [];
  const impostor = createServer((request, response) => {
    asked.push({ url: request.url ?? "", headers: JSON.stringify(request.headers) });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ proofs: ["AAAA"] }));
  });
  const token = await page.evaluate(() => sessionStorage.getItem("patchbay.token"));
  if (token === null) throw new Error("The page keeps no token.");
  const [, secret = token] = token.split(".");
  await new Promise<void>((resolve) =>
    impostor.listen(Number(new URL(core.link).port), "127.0.0.1", resolve),
  );
  try {
    await expect(connection(page)).toHaveAttribute("data-connection", "refused");
    expect(asked.map(({ url }) => url.split("?")[0])).toEqual(["/api/proof"]);
    expect(JSON.stringify(asked)).not.toContain(secret);
  } finally {
    impostor.closeAllConnections();
    await new Promise((resolve) => impostor.close(resolve));
  }
});
