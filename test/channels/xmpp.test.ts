import { channelSuite } from "./suite.ts";
import { XmppPlatform } from "./xmpp/xmpp-platform.ts";

channelSuite(
  "XMPP on prosody",
  {
    deliverTwice: true,
    buttons: false,
    rateLimit: false,
    refuse: true,
    // Of direct messages it does; of rooms it does not.
    keepsMessages: false,
    knowsRepeats: false,
    longLines: 900,
  },
  () => XmppPlatform.open(),
);
