import { freePort } from "../test/channels/tcp-proxy.ts";
import { person } from "../test/support/platforms/signal/accounts.ts";
import { SignalServer } from "../test/support/platforms/signal/server.ts";
import { WeChatServer } from "../test/support/platforms/wechat/server.ts";
import { expect, test } from "./support/app.ts";
import { expectConnected, installChannel, picture } from "./support/channel-setup.ts";

// Each of them installs, pairs, talks and takes pictures.
test.describe.configure({ timeout: 120_000 });

test("WeChat: from the catalogue to connected by a code, and paired again when the sign-in has ended", async ({
  app,
}, testInfo) => {
  await using server = await WeChatServer.open();
  const { desk } = server;
  await app.script([{ say: "**Hello** from the agent." }]);
  const wizard = await installChannel(app, "WeChat");
  const { dialog } = wizard;

  await expect(wizard.heading("Your phone")).toBeVisible();
  await wizard.unfold();
  const address = dialog.getByRole("textbox", { name: /^Address of the WeChat service/ });
  await address.fill(`http://127.0.0.1:${await freePort()}`);
  await wizard.button("Continue").click();
  await expect(dialog.getByRole("alert")).toContainText("WeChat cannot be reached: nothing answers there");
  await expect(dialog.getByRole("alert")).toContainText("See whether the address is right.");
  await picture(app, testInfo, "wechat-wrong-address");
  await address.fill(server.origin);
  await wizard.button("Continue").click();

  await expect(wizard.heading("Scan the code")).toBeVisible();
  await expect(dialog.getByText("Code 1 of 3")).toBeVisible();
  const codeOf = (qrcode: string) => `https://liteapp.weixin.qq.com/q/${qrcode}`;
  const first = codeOf(desk.newest.qrcode);
  await expect.poll(() => wizard.scan()).toBe(first);
  desk.expire();
  await expect(dialog.getByText("Code 2 of 3")).toBeVisible();
  expect(codeOf(desk.newest.qrcode)).not.toBe(first);
  await expect.poll(() => wizard.scan()).toBe(codeOf(desk.newest.qrcode));
  await picture(app, testInfo, "wechat-code");

  desk.scan("77");
  const digits = dialog.getByRole("textbox", { name: "Digits on the phone" });
  await digits.fill("11");
  await wizard.button("Continue").click();
  await expect(dialog.getByRole("alert")).toContainText("These were not the digits");
  await digits.fill("77");
  await wizard.button("Continue").click();
  await expect(dialog.getByText("The code was scanned. Confirm it on the phone.")).toBeVisible();
  await picture(app, testInfo, "wechat-confirm");
  desk.confirm();

  await expectConnected(wizard, "WeChat", "helper@im.bot");
  await picture(app, testInfo, "wechat-connected");
  const [bot] = server.accounts;
  if (!bot) throw new Error("The service has no bot.");
  server.say(bot, "scanner@im.wechat", "Are you there?");
  await expect.poll(() => bot.shown.map(({ text }) => text)).toContain("Hello from the agent.");
  await wizard.button("Done").click();
  await app.page.getByRole("link", { name: "Plugins", exact: true }).click();
  const card = app.card("WeChat");
  await expect(card.getByText(/^Connected as helper@im\.bot · last message/)).toBeVisible();

  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(card.getByText(/^Verbunden als helper@im\.bot · letzte Nachricht/)).toBeVisible();
  await picture(app, testInfo, "wechat-card-german");
  await app.ask("PATCH", "/settings", { language: "en" });

  // The sign-in ends while it runs: the card leads straight to a new code, at the same service.
  bot.stale = true;
  server.wake();
  await card.getByRole("button", { name: "Sign in again" }).click();
  await expect.poll(() => desk.codes.length).toBe(3);
  await expect.poll(() => wizard.scan()).toBe(codeOf(desk.newest.qrcode));
  desk.scan();
  desk.confirm();
  await expectConnected(wizard, "WeChat", "helper@im.bot");
  await wizard.button("Done").click();
  const rows = JSON.stringify(await app.ask("GET", "/agents/helper/plugins"));
  for (const { token } of server.accounts) expect(rows).not.toContain(token);
});

test("Signal: from the catalogue through its server's form and a code to connected", async ({
  app,
}, testInfo) => {
  await using server = await SignalServer.open();
  const olga = person("Olga", "+491000001");
  const account = person("Helper", "+491000000");
  await app.script([{ say: "**Hello** from the agent." }]);
  const wizard = await installChannel(app, "Signal");
  const { dialog } = wizard;

  await expect(wizard.heading("Server")).toBeVisible();
  await expect(dialog.getByRole("region", { name: "Command that starts it" })).toContainText("MODE=json-rpc");
  await app.ask("PATCH", "/settings", { language: "de" });
  await expect(dialog.getByText(/Der Agent braucht ein Signal-Konto mit eigener Nummer/)).toBeVisible();
  await picture(app, testInfo, "signal-first-german");
  await app.ask("PATCH", "/settings", { language: "en" });
  await expect(dialog.getByText(/a number of its own/)).toBeVisible();
  await picture(app, testInfo, "signal-first");
  const go = async (address: string, owners: string) => {
    await wizard.unfold();
    await dialog.getByRole("textbox", { name: /^Address of the server/ }).fill(address);
    await dialog.getByRole("textbox", { name: /^Your own number/ }).fill(owners);
    await wizard.button("Continue").click();
  };
  const problem = dialog.getByRole("alert");
  await go(server.origin, "0170 1234567");
  await expect(problem).toContainText("is no number with its country code");
  await go(`http://127.0.0.1:${await freePort()}`, "+49 1000 001");
  await expect(problem).toContainText("The Signal server cannot be reached: nothing answers there");
  await picture(app, testInfo, "signal-not-reached");
  server.mode = "normal";
  await go(server.origin, "+49 1000 001");
  await expect(problem).toContainText("Start it again with MODE=json-rpc.");
  server.mode = "json-rpc";
  await wizard.button("Continue").click();

  await expect(wizard.heading("Link the phone")).toBeVisible();
  await expect.poll(() => wizard.scan()).toBe(server.links[0]);
  await picture(app, testInfo, "signal-code");
  server.scan(account);
  await expectConnected(wizard, "Signal", "+491000000");
  await picture(app, testInfo, "signal-connected");

  server.say("+491000000", olga, { text: "Are you there?" });
  await expect
    .poll(() => server.delivered.map(({ to, message }) => `${to} ${message}`))
    .toContain(`${olga.uuid} Hello from the agent.`);
  await wizard.button("Done").click();
  await app.page.getByRole("link", { name: "Plugins", exact: true }).click();
  await expect(app.card("Signal").getByText(/^Connected as \+491000000 · last message/)).toBeVisible();
});
