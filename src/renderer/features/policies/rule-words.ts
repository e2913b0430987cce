import type { TFunction } from "i18next";
import type { PolicyRule } from "../../../contract/agent.ts";
import type { ToolRight } from "../../../contract/permissions/tool-rights.ts";
import { formatAgo } from "../../base/i18n/time.ts";

/** Where a rule came from: "Always, 2 hr. ago, from a conversation". */
export function originWords(t: TFunction, { origin }: PolicyRule, now: number): string {
  if (!origin) return t("tools.origin.before");
  return t("tools.origin", {
    what: t(origin.answered ? "tools.origin.always" : "tools.origin.setting"),
    when: formatAgo(origin.at, now),
    where: t(`tools.from.${origin.from}`),
  });
}

/** Why a tool is allowed, asked about or off. */
export function whyWords(t: TFunction, { rule, name, byDefault }: ToolRight, now: number): string {
  if (!rule) return t("tools.byDefault", { why: t(`tools.default.${byDefault}`) });
  const words = originWords(t, rule, now);
  return rule.tool === name ? words : `${words} · ${t("tools.byPrefix", { rule: rule.tool })}`;
}

/** For whom in chats a rule holds; null: for the owner. */
export function callerWords(t: TFunction, { callers = [] }: PolicyRule): string | null {
  const chats = callers.flatMap((one) => {
    if (one === "owner") return [];
    if (one === "anyone") return [t("tools.forAnyone")];
    const who = one.userId ?? one.role ?? t("tools.everybody");
    return [t("tools.forUser", { user: who, channel: one.channel })];
  });
  return chats.length > 0 ? chats.join(", ") : null;
}
