import { ChatServer } from "../test/support/chat-server.ts";
import { expect, pluginFolder, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";
import { picture } from "./support/channel-setup.ts";

test("an owner's chat decides exactly one call, and the channel's page shows its connection and traffic", async ({
  app,
}, testInfo) => {
  const { page } = app;
  const chat = await ChatServer.open();
  try {
    await app.install(pluginFolder.echo);
    await app.install(pluginFolder.postbox);
    await app.set("echo", { enabled: true });
    const tool = "echo__say";
    await app.ask("PATCH", "/agents/helper", {
      policy: [{ tool, effect: "ask", callers: [{ channel: "postbox" }] }],
    });
    const call = (text: string) => ({ tool, input: { text } });
    await app.script([{ call: [call("first"), call("second")] }, { say: "Both are settled." }]);
    await app.set("postbox", {
      enabled: true,
      config: { channel: { server: chat.url, owners: ["olga"] } },
      decidesApprovals: true,
    });

    await app.goTo("/agents/helper/approvals");
    chat.say({ chat: "lobby", from: "ada", text: "Say it twice, please." });
    const waiting = page.getByRole("region", { name: "Waiting for you" });
    const cards = waiting.getByRole("article");
    await expect(cards).toHaveCount(1);
    await expect(cards.getByText("first")).toBeVisible();
    const numberIn = async () => (await chat.next()).text?.slice(-4);
    const first = await numberIn();
    chat.say({ chat: "lobby", from: "ada", text: `yes ${first}` });
    expect((await chat.next()).text).toBe("review: NOT_THE_OWNER");
    await expect(cards.getByText("first")).toBeVisible();
    chat.say({ chat: "home", from: "olga", text: `yes ${first}` });
    await expect(cards.getByText("second")).toBeVisible();
    await expect(cards).toHaveCount(1);
    const texts = [await chat.next(), await chat.next()].map(({ text = "" }) => text).sort();
    chat.say({ chat: "home", from: "olga", text: `no ${texts[0]?.slice(-4)}` });
    await expect(waiting.getByText(/^Nothing waits for you/)).toBeVisible();
    const history = page.getByRole("region", { name: /^History/ });
    await expect(history.locator("summary")).toHaveCount(2);
    await expect(history.getByText("Allowed · once")).toHaveCount(1);
    await history.locator("summary").last().click();
    await expect(history.getByText("Decided by olga on postbox").last()).toBeVisible();

    await app.goTo("/agents/helper/plugins/postbox/activity");
    const connection = page.locator("section", { has: page.getByRole("heading", { name: "Connection" }) });
    await expect(connection.getByText("@postbox")).toBeVisible();
    await expect(connection.getByText("0 in, 0 out")).toBeVisible();
    const traffic = page.locator("section", { has: page.getByRole("heading", { name: "Traffic" }) });
    const row = traffic.getByRole("row", { name: /lobby/ });
    await expect(row.getByRole("cell").nth(1)).toHaveText("1");
    await expect(row.getByRole("cell").nth(2)).toHaveText("1");
    await expect(traffic.getByText("Both are settled.")).toHaveCount(0);
    await traffic.getByRole("button", { name: "Show what was said" }).click();
    await expect(traffic.getByText("Say it twice, please.")).toBeVisible();
    await expect(traffic.getByText("Both are settled.")).toBeVisible();

    const to = traffic.getByRole("textbox", { name: "Send a test message to" });
    await expect(to).toHaveValue("lobby");
    await traffic.getByRole("button", { name: "Send", exact: true }).click();
    await expect(traffic.getByText("Sent to lobby.")).toBeVisible();
    await expect(row.getByRole("cell").nth(2)).toHaveText("2");
    await expect
      .poll(() => chat.sent.at(-1))
      .toEqual({ chat: "lobby", text: "This is a test message from Patchbay." });
    await to.fill("nowhere");
    await traffic.getByRole("button", { name: "Send", exact: true }).click();
    await expect(
      traffic.getByText("The message was not sent: there is no such chat.", { exact: true }),
    ).toBeVisible();
    await expectNoViolationsInBoth(page, "the activity of a channel");
    await picture(app, testInfo, "channel");
  } finally {
    chat.close();
  }
});
