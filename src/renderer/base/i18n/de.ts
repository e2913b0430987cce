import { agentStrings } from "./de/agents/agents.ts";
import { approvalStrings } from "./de/agents/approvals.ts";
import { attachableStrings } from "./de/agents/attachable.ts";
import { conversationStrings } from "./de/agents/conversation.ts";
import { messageStrings } from "./de/agents/messages.ts";
import { modelStrings } from "./de/agents/models.ts";
import { programStrings } from "./de/agents/programs.ts";
import { replyStrings } from "./de/agents/reply.ts";
import { toolStrings } from "./de/agents/tools.ts";
import { codeStrings } from "./de/app/code.ts";
import { diagnosticsStrings } from "./de/app/diagnostics.ts";
import { keyStrings } from "./de/app/keys.ts";
import { liveTracesStrings } from "./de/app/live-traces.ts";
import { paletteStrings } from "./de/app/palette.ts";
import { prefStrings } from "./de/app/prefs.ts";
import { removedStrings } from "./de/app/removed.ts";
import { shellStrings } from "./de/app/shell.ts";
import { vaultStrings } from "./de/app/vault.ts";
import { welcomeStrings } from "./de/app/welcome.ts";
import { bringStrings } from "./de/catalogue/bring.ts";
import { discoverStrings } from "./de/catalogue/discover.ts";
import { growthStrings } from "./de/catalogue/growth.ts";
import { installStrings } from "./de/catalogue/install.ts";
import { placeStrings } from "./de/catalogue/places.ts";
import { serverStrings } from "./de/catalogue/servers.ts";
import { startsStrings } from "./de/catalogue/starts.ts";
import { byHandStrings } from "./de/debug/by-hand.ts";
import { callToolStrings } from "./de/debug/call-tool.ts";
import { contextStrings } from "./de/debug/context.ts";
import { jsonStrings } from "./de/debug/json.ts";
import { outsideStrings } from "./de/debug/outside.ts";
import { debugPageStrings } from "./de/debug/page.ts";
import { pauseStrings } from "./de/debug/pauses.ts";
import { policyStrings } from "./de/debug/policies.ts";
import { replayStrings } from "./de/debug/replay.ts";
import { timelineStrings } from "./de/debug/timeline.ts";
import { timelineDetailStrings } from "./de/debug/timeline-detail.ts";
import { traceExportStrings } from "./de/debug/trace-export.ts";
import { treeStrings } from "./de/debug/tree.ts";
import { channelStrings } from "./de/plugins/channel.ts";
import { lentModelStrings } from "./de/plugins/lent-model.ts";
import { matrixStrings } from "./de/plugins/matrix.ts";
import { offeredStrings } from "./de/plugins/offered.ts";
import { permissionStrings } from "./de/plugins/permissions.ts";
import { pageStrings } from "./de/plugins/plugin-page.ts";
import { pluginStrings } from "./de/plugins/plugins.ts";
import { serverSignInStrings } from "./de/plugins/server-sign-in.ts";
import { settingsStrings } from "./de/plugins/settings.ts";
import { setupStrings } from "./de/plugins/setup.ts";
import { wallNoteStrings } from "./de/plugins/wall-notes.ts";
import type { en } from "./en.ts";

/** Every sentence of the screens in German. A key that is missing here, or that English does not have, is a type error. */
export const de: Record<keyof typeof en, string> = {
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
};
