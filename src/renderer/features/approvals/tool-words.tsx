import { useTranslation } from "react-i18next";
import { cleanLine } from "../../../contract/shown/clean-text.ts";
import type { OwnOverPlugin } from "../../../contract/tools/tool-info.ts";

const builtins = ["shell", "read_file", "list_files", "write_file", "send_file"] as const;

interface ToolWordsProps {
  name: string;
  /** The display name of its plugin; null for a built-in tool. */
  owner: string | null;
  /** Its description. */
  text: string;
  /** It is Patchbay's own, over what the plugin offers. */
  ours?: OwnOverPlugin | undefined;
  className?: string;
}

/** What a tool does: in Patchbay's words for its own, and else in the plugin's, marked as such. */
export function ToolWords({ name, owner, text, ours, className }: ToolWordsProps) {
  const { t } = useTranslation();
  const builtin = owner === null && builtins.find((one) => one === name);
  if (builtin) return <p className={className}>{t(`tools.does.${builtin}`)}</p>;
  if (ours && owner !== null)
    return <p className={className}>{t(`tools.does.${ours}`, { plugin: owner })}</p>;
  if (text.trim() === "" || owner === null) return null;
  return (
    <p className={className}>{t("tools.inItsWords", { plugin: owner, text: cleanLine(text).trim() })}</p>
  );
}
