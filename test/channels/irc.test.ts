import { Inspircd } from "./irc/inspircd.ts";
import { IrcPlatform } from "./irc/irc-platform.ts";
import { Ngircd } from "./irc/ngircd.ts";
import type { PlatformAbilities } from "./platform.ts";
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

channelSuite("IRC on InspIRCd with Atheme", can, async () => IrcPlatform.open(await Inspircd.open(), "sasl"));
channelSuite("IRC on ngircd with Atheme", can, async () =>
  IrcPlatform.open(await Ngircd.open("", true), "nickserv"),
);
