import type { Settings, SettingsPatch } from "../../contract/settings.ts";
import { rpc } from "../base/client/rpc.ts";
import { useMirror } from "./mirror.ts";

/** Saves and shows what was read back. */
export async function saveSettings(patch: SettingsPatch): Promise<Settings> {
  const settings = await rpc.app.updateSettings(patch);
  useMirror.setState({ settings });
  return settings;
}
