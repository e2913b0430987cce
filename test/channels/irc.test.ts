import { IrcPlatform } from "./irc/irc-platform.ts";
import { channelSuite } from "./suite.ts";

channelSuite(
  "IRC on ngircd",
  {
    deliverTwice: false,
    buttons: false,
    rateLimit: false,
    refuse: true,
    keepsMessages: false,
    knowsRepeats: false,
    longLines: 40,
  },
  () => IrcPlatform.open(),
);
