import { IrcPerson } from "../test/channels/irc/irc-person.ts";
import { Ngircd } from "../test/channels/irc/ngircd.ts";
import { Prosody } from "../test/channels/xmpp/prosody.ts";
import { expect, test } from "./support/app.ts";
import { expectConnected, installChannel, picture } from "./support/channel-setup.ts";
import type { WizardScreen } from "./support/wizard.ts";

async function fill(wizard: WizardScreen, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values))
    await wizard.dialog.getByLabel(label).first().fill(value);
  await wizard.button("Continue").click();
}

test("IRC: from the catalogue to connected on a real server, and an answer", async ({ app }, testInfo) => {
  const server = await Ngircd.open("", true);
  const olga = new IrcPerson("olga", server.port, [], () => {});
  try {
    await olga.connect("", "s3cret-word");
    olga.send("JOIN #team");
    olga.send("MODE #team +i");
    await app.script([{ say: "Hello from the agent." }]);
    const wizard = await installChannel(app, "IRC");
    await expect(wizard.heading("Network")).toBeVisible();
    await picture(app, testInfo, "irc-network");
    const network = { Server: "127.0.0.1", Nick: "helper", Encryption: "no" };
    await fill(wizard, { ...network, Port: "1" });
    await fill(wizard, { Owners: "olga", Channels: "#team" });

    // Nobody listens there: what was typed is corrected, with the reason above it.
    await expect(wizard.dialog.getByRole("alert")).toContainText("ECONNREFUSED");
    await picture(app, testInfo, "irc-not-reached");
    await fill(wizard, { ...network, Port: String(server.port) });
    await fill(wizard, { Owners: "olga", Channels: "#team" });

    // It runs, and waits to be let into the channel.
    await expect(wizard.heading("IRC runs, but not all is well yet")).toBeVisible();
    await expect(
      wizard.dialog.getByText("Everything is saved, and it runs. This is what IRC says:"),
    ).toBeVisible();
    const waiting = /^#team cannot be entered: .* It waits for an invitation/;
    await expect(wizard.dialog.getByText(waiting)).toBeVisible();
    await expect(wizard.dialog.getByText("Connected as helper on TestNet")).toBeVisible();
    for (const colorScheme of ["light", "dark"] as const) {
      await app.page.emulateMedia({ colorScheme });
      await picture(app, testInfo, `irc-setup-waits-${colorScheme}`);
    }
    olga.send("INVITE helper #team");
    await expectConnected(wizard, "IRC", "helper on TestNet");
    await picture(app, testInfo, "irc-connected");
    olga.send("PRIVMSG helper :Are you there?");
    await expect.poll(() => olga.heard.map(({ text }) => text)).toContain("Hello from the agent.");

    // Its page says what it waits for, and that it does no more.
    await wizard.button("Done").click();
    await olga.synced();
    await app.ask("POST", "/agents/helper/plugins/irc/restart");
    await app.goTo("/agents/helper/plugins/irc");
    const waits = app.page.getByText(waiting);
    await expect(waits).toBeVisible();
    for (const colorScheme of ["light", "dark"] as const) {
      await app.page.emulateMedia({ colorScheme });
      await picture(app, testInfo, `irc-waits-${colorScheme}`);
    }
    olga.send("INVITE helper #team");
    await expect(waits).toHaveCount(0);
  } finally {
    olga.disconnect();
    await server.close();
  }
});

test("XMPP: from the catalogue to connected on a real server", async ({ app }, testInfo) => {
  const server = await Prosody.open(["helper"]);
  try {
    const wizard = await installChannel(app, "XMPP");
    await expect(wizard.heading("Account")).toBeVisible();
    const account = { Address: "helper@localhost", Server: `127.0.0.1:${server.port}` };
    await fill(wizard, { ...account, Password: "not the password" });
    await fill(wizard, { Owners: "olga@localhost" });
    await expect(wizard.dialog.getByRole("alert")).toContainText("did not accept the password");
    await picture(app, testInfo, "xmpp-wrong-password");
    await fill(wizard, { ...account, Password: "secret-of-helper" });
    await fill(wizard, { Owners: "olga@localhost" });
    await expectConnected(wizard, "XMPP", "helper@localhost");
    await expect(wizard.dialog.getByText("Helper has no model yet, so nobody gets an answer.")).toBeVisible();
    await picture(app, testInfo, "xmpp-connected");
    const rows = JSON.stringify(await app.ask("GET", "/agents/helper/plugins"));
    expect(rows).not.toContain("secret-of-helper");
  } finally {
    await server.close();
  }
});
