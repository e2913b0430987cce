import { agentStrings } from "./de/agents.ts";
import { approvalStrings } from "./de/approvals.ts";
import { channelStrings } from "./de/channel.ts";
import { conversationStrings } from "./de/conversation.ts";
import { diagnosticsStrings } from "./de/diagnostics.ts";
import { discoverStrings } from "./de/discover.ts";
import { installStrings } from "./de/install.ts";
import { matrixStrings } from "./de/matrix.ts";
import { paletteStrings } from "./de/palette.ts";
import { placeStrings } from "./de/places.ts";
import { pageStrings } from "./de/plugin-page.ts";
import { pluginStrings } from "./de/plugins.ts";
import { prefStrings } from "./de/prefs.ts";
import { settingsStrings } from "./de/settings.ts";
import { setupStrings } from "./de/setup.ts";
import { shellStrings } from "./de/shell.ts";
import { vaultStrings } from "./de/vault.ts";
import { welcomeStrings } from "./de/welcome.ts";
import type { en } from "./en.ts";

/** Every sentence of the screens in German. A key that is missing here, or that English does not have, is a type error. */
export const de: Record<keyof typeof en, string> = {
  ...shellStrings,
  ...agentStrings,
  ...pluginStrings,
  ...pageStrings,
  ...settingsStrings,
  ...installStrings,
  ...channelStrings,
  ...placeStrings,
  ...conversationStrings,
  ...approvalStrings,
  ...prefStrings,
  ...paletteStrings,
  ...discoverStrings,
  ...matrixStrings,
  ...setupStrings,
  ...welcomeStrings,
  ...vaultStrings,
  ...diagnosticsStrings,
};
