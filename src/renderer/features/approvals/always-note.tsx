import { useTranslation } from "react-i18next";
import type { Approval } from "../../../contract/agent.ts";

/** What "Always" will store: a rule for this tool and whoever asked, for this agent. */
export function AlwaysNote({ approval, agent }: { approval: Approval; agent: string }) {
  const { t } = useTranslation();
  const { title: tool, caller } = approval;
  const words =
    caller.kind === "channel"
      ? t("tools.alwaysFor", { agent, tool, user: caller.userId, channel: caller.channel })
      : t("tools.always", { agent, tool });
  return (
    <p>
      {words} {t("tools.alwaysWhere")}
    </p>
  );
}
