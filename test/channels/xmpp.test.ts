import { sideBySide } from "./side-by-side.ts";
import { channelSuite } from "./suite.ts";
import { XmppPlatform } from "./xmpp/xmpp-platform.ts";

sideBySide("the whole", ["prosody", "ejabberd"], (server) => {
  channelSuite(
    `XMPP on ${server}`,
    {
      // Rooms without addresses know nobody.
      openGroups: true,
      deliverTwice: true,
      buttons: false,
      rateLimit: false,
      refuse: true,
      // Of direct messages it does; of rooms it does not.
      keepsMessages: false,
      // The archive tells what was sent.
      knowsRepeats: true,
      longLines: 900,
    },
    () => XmppPlatform.open(server),
  );
});
