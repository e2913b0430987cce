import { agentStrings } from "./en/agents/agents.ts";
import { approvalStrings } from "./en/agents/approvals.ts";
import { attachableStrings } from "./en/agents/attachable.ts";
import { conversationStrings } from "./en/agents/conversation.ts";
import { messageStrings } from "./en/agents/messages.ts";
import { modelStrings } from "./en/agents/models.ts";
import { programStrings } from "./en/agents/programs.ts";
import { replyStrings } from "./en/agents/reply.ts";
import { toolStrings } from "./en/agents/tools.ts";
import { codeStrings } from "./en/app/code.ts";
import { diagnosticsStrings } from "./en/app/diagnostics.ts";
import { keyStrings } from "./en/app/keys.ts";
import { liveTracesStrings } from "./en/app/live-traces.ts";
import { paletteStrings } from "./en/app/palette.ts";
import { prefStrings } from "./en/app/prefs.ts";
import { removedStrings } from "./en/app/removed.ts";
import { shellStrings } from "./en/app/shell.ts";
import { vaultStrings } from "./en/app/vault.ts";
import { welcomeStrings } from "./en/app/welcome.ts";
import { bringStrings } from "./en/catalogue/bring.ts";
import { discoverStrings } from "./en/catalogue/discover.ts";
import { growthStrings } from "./en/catalogue/growth.ts";
import { installStrings } from "./en/catalogue/install.ts";
import { placeStrings } from "./en/catalogue/places.ts";
import { serverStrings } from "./en/catalogue/servers.ts";
import { startsStrings } from "./en/catalogue/starts.ts";
import { byHandStrings } from "./en/debug/by-hand.ts";
import { callToolStrings } from "./en/debug/call-tool.ts";
import { contextStrings } from "./en/debug/context.ts";
import { jsonStrings } from "./en/debug/json.ts";
import { outsideStrings } from "./en/debug/outside.ts";
import { debugPageStrings } from "./en/debug/page.ts";
import { pauseStrings } from "./en/debug/pauses.ts";
import { policyStrings } from "./en/debug/policies.ts";
import { replayStrings } from "./en/debug/replay.ts";
import { timelineStrings } from "./en/debug/timeline.ts";
import { timelineDetailStrings } from "./en/debug/timeline-detail.ts";
import { traceExportStrings } from "./en/debug/trace-export.ts";
import { treeStrings } from "./en/debug/tree.ts";
import { channelStrings } from "./en/plugins/channel.ts";
import { lentModelStrings } from "./en/plugins/lent-model.ts";
import { matrixStrings } from "./en/plugins/matrix.ts";
import { offeredStrings } from "./en/plugins/offered.ts";
import { permissionStrings } from "./en/plugins/permissions.ts";
import { pageStrings } from "./en/plugins/plugin-page.ts";
import { pluginStrings } from "./en/plugins/plugins.ts";
import { serverSignInStrings } from "./en/plugins/server-sign-in.ts";
import { settingsStrings } from "./en/plugins/settings.ts";
import { setupStrings } from "./en/plugins/setup.ts";
import { wallNoteStrings } from "./en/plugins/wall-notes.ts";

/** Every sentence of the screens in English. */
export const en = {
  ...shellStrings,
  ...agentStrings,
  ...pluginStrings,
  ...pageStrings,
  ...offeredStrings,
  ...permissionStrings,
  ...wallNoteStrings,
  ...settingsStrings,
  ...growthStrings,
  ...bringStrings,
  ...installStrings,
  ...channelStrings,
  ...placeStrings,
  ...conversationStrings,
  ...messageStrings,
  ...attachableStrings,
  ...debugPageStrings,
  ...outsideStrings,
  ...jsonStrings,
  ...pauseStrings,
  ...byHandStrings,
  ...callToolStrings,
  ...replayStrings,
  ...timelineStrings,
  ...timelineDetailStrings,
  ...traceExportStrings,
  ...treeStrings,
  ...policyStrings,
  ...programStrings,
  ...contextStrings,
  ...approvalStrings,
  ...lentModelStrings,
  ...replyStrings,
  ...toolStrings,
  ...modelStrings,
  ...prefStrings,
  ...codeStrings,
  ...removedStrings,
  ...paletteStrings,
  ...keyStrings,
  ...discoverStrings,
  ...serverStrings,
  ...startsStrings,
  ...matrixStrings,
  ...serverSignInStrings,
  ...setupStrings,
  ...welcomeStrings,
  ...vaultStrings,
  ...diagnosticsStrings,
  ...liveTracesStrings,
} as const;
