import { SignalPlatform } from "./signal/signal-platform.ts";
import { channelSuite } from "./suite.ts";

channelSuite(
  "Signal",
  {
    deliverTwice: true,
    buttons: false,
    rateLimit: true,
    refuse: true,
    keepsMessages: false,
    knowsRepeats: false,
    longLines: 160,
  },
  () => SignalPlatform.open(),
);
