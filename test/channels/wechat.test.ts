import { channelSuite } from "./suite.ts";
import { WeChatPlatform } from "./wechat/wechat-platform.ts";

channelSuite(
  "WeChat",
  {
    groups: false,
    deliverTwice: true,
    buttons: false,
    rateLimit: true,
    refuse: true,
    keepsMessages: true,
    knowsRepeats: false,
    longLines: 200,
  },
  () => WeChatPlatform.open(),
);
