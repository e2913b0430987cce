import { agentStrings } from "./en/agents.ts";
import { approvalStrings } from "./en/approvals.ts";
import { channelStrings } from "./en/channel.ts";
import { conversationStrings } from "./en/conversation.ts";
import { diagnosticsStrings } from "./en/diagnostics.ts";
import { discoverStrings } from "./en/discover.ts";
import { installStrings } from "./en/install.ts";
import { matrixStrings } from "./en/matrix.ts";
import { paletteStrings } from "./en/palette.ts";
import { placeStrings } from "./en/places.ts";
import { pageStrings } from "./en/plugin-page.ts";
import { pluginStrings } from "./en/plugins.ts";
import { prefStrings } from "./en/prefs.ts";
import { settingsStrings } from "./en/settings.ts";
import { setupStrings } from "./en/setup.ts";
import { shellStrings } from "./en/shell.ts";
import { vaultStrings } from "./en/vault.ts";
import { welcomeStrings } from "./en/welcome.ts";

/** Every sentence of the screens in English. */
export const en = {
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
} as const;
