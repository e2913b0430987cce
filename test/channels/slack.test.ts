import { SlackPlatform } from "./slack-platform.ts";
import { channelSuite } from "./suite.ts";

channelSuite(
  "Slack",
  {
    opensThreads: true,
    deliverTwice: true,
    buttons: true,
    rateLimit: true,
    refuse: true,
    keepsMessages: true,
    knowsRepeats: true,
    longLines: 300,
  },
  () => SlackPlatform.open(),
);
