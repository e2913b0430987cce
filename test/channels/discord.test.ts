import { DiscordPlatform } from "./discord-platform.ts";
import { channelSuite } from "./suite.ts";

channelSuite(
  "Discord",
  {
    deliverTwice: true,
    buttons: true,
    rateLimit: true,
    refuse: true,
    keepsMessages: true,
    knowsRepeats: true,
    // Its programs show the others as what they mean.
    rawMarks: ["![", "[x]", "|--"],
    longLines: 150,
  },
  () => DiscordPlatform.open(),
);
