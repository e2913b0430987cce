import type { Platform } from "../../platform/platform.ts";
import { SignIns } from "../../setup/oauth/sign-in.ts";
import { Setups } from "../../setup/setups.ts";
import type { SetupsOptions } from "../../setup/setups-options.ts";
import { type ChatLanguageSources, chatLanguages } from "./chat-languages.ts";

type SetupNeeds = Omit<SetupsOptions, "signIn" | "openUrl" | "clock" | "languages"> & {
  platform: Pick<Platform, "shell" | "openUrl" | "languages">;
} & Omit<ChatLanguageSources, "platform">;

/** The setup wizards that are open. */
export function openSetups({ platform, ...needs }: SetupNeeds, stack: AsyncDisposableStack): Setups {
  const setups = new Setups({
    ...needs,
    languages: chatLanguages({ ...needs, platform }),
    signIn: new SignIns(),
    openUrl: (url) => openPage(platform, url),
  });
  stack.defer(() => setups.close());
  return setups;
}

/**
 * Opens a page in the person's browser; false in the browser shell, where the screen has to open it because this
 * process may run on a machine without a desktop.
 */
async function openPage(platform: SetupNeeds["platform"], url: string): Promise<boolean> {
  if (platform.shell === "browser") return false;
  await platform.openUrl(url);
  return true;
}
