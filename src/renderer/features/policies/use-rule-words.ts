import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { useShallow } from "zustand/react/shallow";
import type { Caller, PolicyRule } from "../../../contract/agent.ts";
import { anybody, type RuleDraft } from "../../../contract/permissions/explanation.ts";
import { cleanLine } from "../../../contract/shown/clean-text.ts";
import { useMirror } from "../../store/mirror.ts";

/** Rules and those who ask, in words, with channels by the names that people know them by. */
export interface RuleWords {
  /** "you", "somebody on Telegram". */
  who(caller: Caller): string;
  /** "for you", "for the role user on Telegram, for you". */
  whom(callers: PolicyRule["callers"]): string;
  /** "shell: asks first, for you". `titles`: names on the screen of tools, by their names on the wire. */
  rule(rule: RuleDraft, titles?: ReadonlyMap<string, string>): string;
  /** The name of a plugin; null: the built-in one. */
  owner(key: string | null): string;
}

export function useRuleWords(): RuleWords {
  const { t } = useTranslation();
  const names = useMirror(
    useShallow((state) => Object.fromEntries([...state.plugins].map(([key, one]) => [key, one.displayName]))),
  );
  const channel = (key: string) => names[key] ?? cleanLine(key);
  const whom = (callers: PolicyRule["callers"]) =>
    (callers ?? ["owner" as const]).map((one) => oneWhom(t, channel, one)).join(", ");
  return {
    whom,
    who: (caller) => who(t, channel, caller),
    rule: ({ tool, effect, callers }, titles) =>
      t("rules.of", {
        tool: titles?.get(tool) ?? cleanLine(tool),
        effect: t(`effect.${effect}`),
        whom: whom(callers),
      }),
    owner: (key) => (key === null ? t("tools.builtIn") : channel(key)),
  };
}

type Named = NonNullable<PolicyRule["callers"]>[number];

function oneWhom(t: TFunction, name: (key: string) => string, one: Named): string {
  if (one === "owner") return t("rules.whom.owner");
  if (one === "anyone") return t("rules.whom.anyone");
  const channel = name(one.channel);
  if (one.userId !== undefined) return t("rules.whom.person", { channel, user: cleanLine(one.userId) });
  if (one.role !== undefined) return t("rules.whom.role", { channel, role: cleanLine(one.role) });
  return t("rules.whom.channel", { channel });
}

function who(t: TFunction, name: (key: string) => string, caller: Caller): string {
  if (caller.kind === "owner")
    return caller.program === undefined
      ? t("who.owner")
      : t("who.program", { program: cleanLine(caller.program) });
  const channel = name(caller.channel);
  const role = caller.role === undefined ? undefined : cleanLine(caller.role);
  if (caller.userId === anybody)
    return role === undefined ? t("who.somebody", { channel }) : t("who.role", { channel, role });
  const user = cleanLine(caller.userId);
  return role === undefined
    ? t("who.person", { channel, user })
    : t("who.personRole", { channel, user, role });
}
