import { Inspircd } from "./irc/inspircd.ts";
import { IrcPlatform } from "./irc/irc-platform.ts";
import { Ngircd } from "./irc/ngircd.ts";
import type { PlatformAbilities } from "./platform.ts";
import { sideBySide } from "./side-by-side.ts";
import { channelSuite } from "./suite.ts";

const can: PlatformAbilities = {
  deliverTwice: false,
  buttons: false,
  rateLimit: false,
  refuse: true,
  keepsMessages: false,
  knowsRepeats: false,
  longLines: 40,
};

sideBySide("the whole", ["InspIRCd", "ngircd"], (server) => {
  channelSuite(`IRC on ${server} with Atheme`, can, async () =>
    server === "ngircd"
      ? IrcPlatform.open(await Ngircd.open("", true), "nickserv")
      : IrcPlatform.open(await Inspircd.open(), "sasl"),
  );
});
