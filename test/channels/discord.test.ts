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
    longLines: 150,
  },
  () => DiscordPlatform.open(),
);
