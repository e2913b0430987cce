import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { until } from "./in-process.ts";
import { BotOn, SECRET } from "./irc/bot-on.ts";
import { Inspircd } from "./irc/inspircd.ts";
import type { IrcPerson } from "./irc/irc-person.ts";
import type { IrcServer } from "./irc/irc-server.ts";
import { Ngircd } from "./irc/ngircd.ts";
import { sideBySide } from "./side-by-side.ts";

/** The readme's promise about coming back, on real servers with real services. */
sideBySide("coming back", ["InspIRCd", "ngircd"], (name) => {
  const account = { account: "ada", password: SECRET };
  let server: IrcServer;
  let on: BotOn;
  beforeAll(async () => {
    server = name === "ngircd" ? await Ngircd.open("", true) : await Inspircd.open();
    on = new BotOn(server);
    const ada = await on.person("ada");
    ada.send("QUIT");
    await ada.line(/ERROR/);
    await on.close();
  });
  afterAll(() => server.close());
  afterEach(() => on.close());

  /** Somebody who runs a room. */
  async function host(modes: readonly string[]): Promise<IrcPerson> {
    on = new BotOn(server);
    const uma = await on.person("uma", true, ["#team"]);
    for (const mode of modes) uma.send(`MODE #team ${mode}`);
    await uma.synced();
    return uma;
  }

  const entered = (uma: IrcPerson, from: number) => uma.line(/^(?:@\S+ )?:ada!\S+ JOIN /, from);

  async function answers(uma: IrcPerson): Promise<void> {
    const from = uma.heard.length;
    uma.send("PRIVMSG #team :ada: are you there");
    await until("answered", () => uma.heard.slice(from).some(({ text }) => text === "re: are you there"));
  }

  it("into a room for signed-in people: it waits for its services, is told the password to them, and enters", async () => {
    const uma = await host(["+R"]);
    await server.services.stop();
    const bot = await on.bot({ ...account, signIn: "nickserv", channels: ["#team"] });
    await bot.connected();
    await until("told", () => bot.error?.includes("NickServ is not there now") === true);
    expect(bot.error).toBe(
      "The account ada is not signed in: NickServ is not there now. It is told the password when it comes back.",
    );
    await server.services.start();
    await entered(uma, 0);
    await until("all is well", () => bot.error === null);
    await answers(uma);
    expect(bot.words).not.toContain(SECRET);
  });

  it("by an invitation, at once", async () => {
    const uma = await host(["+i"]);
    const bot = await on.bot({ channels: ["#team"], timeScale: 1 });
    await until("told", () => bot.error !== null);
    expect(bot.error).toMatch(
      /^#team cannot be entered: the bot must be invited .* It waits for an invitation/,
    );
    const from = uma.lineCount;
    uma.send("INVITE ada #team");
    await entered(uma, from);
    await until("all is well", () => bot.error === null);
    await answers(uma);
  });

  it.each([
    ["ban", "+b ada!*@*", "-b ada!*@*", "the end of the ban"],
    ["key", "+k letmein", "-k letmein", "the key to be the one of the settings"],
    ["limit", "+l 1", "-l", "somebody to leave"],
  ])("after a %s was lifted, by itself", async (_what, closed, opened, words) => {
    const uma = await host([closed]);
    const bot = await on.bot({ channels: ["#team"] });
    await until("told", () => bot.error !== null);
    expect(bot.error).toContain(`It waits for ${words} and tries again by itself.`);
    const from = uma.lineCount;
    uma.send(`MODE #team ${opened}`);
    await entered(uma, from);
    await until("all is well", () => bot.error === null);
    await answers(uma);
  });

  it("each time it is thrown out", async () => {
    const uma = await host([]);
    const bot = await on.bot({ channels: ["#team"] });
    await entered(uma, 0);
    for (const time of [1, 2, 3]) {
      const from = uma.lineCount;
      uma.send(`KICK #team ada :out ${time}`);
      await entered(uma, from);
    }
    await until("all is well", () => bot.error === null);
    await answers(uma);
  });

  it("with its own nick, as soon as that is free", async () => {
    const uma = await host([]);
    const thief = await on.person("ada", false);
    const bot = await on.bot({ channels: ["#team"] });
    await bot.connected();
    expect(bot.state.account).toMatch(/^ada_+ on TestNet$/);
    thief.send("QUIT");
    await thief.line(/ERROR/);
    await uma.line(/ NICK :?ada$/);
    await answers(uma);
  });
});
