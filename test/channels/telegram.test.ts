import { channelSuite } from "./suite.ts";
import { TelegramPlatform } from "./telegram-platform.ts";

channelSuite(
  "Telegram",
  {
    deliverTwice: true,
    buttons: true,
    rateLimit: true,
    refuse: true,
    keepsMessages: true,
    knowsRepeats: false,
    longLines: 300,
  },
  () => TelegramPlatform.open(),
);
