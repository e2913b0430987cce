import { useTranslation } from "react-i18next";
import { settingsPath } from "../../base/routes.ts";
import { KeyCap, useIdleSentence, useKeyPlan, useTargetWords } from "../../features/keys/public.ts";
import { Block } from "../../ui/well.tsx";

/** The keys that the running plugin brings: what they do, and why some of them do nothing. */
export function PluginKeys({ agentId, plugin }: { agentId: string; plugin: string }) {
  const { t } = useTranslation();
  const words = useTargetWords();
  const sentence = useIdleSentence();
  const plan = useKeyPlan(agentId);
  const isIts = (one: { plugin?: string }) => one.plugin === plugin;
  const bound = plan.bound.filter(
    (one) => isIts(one) || (one.target.kind === "shortcut" && isIts(one.target)),
  );
  const idle = plan.idle.filter(isIts);
  if (bound.length === 0 && idle.length === 0) return null;
  return (
    <Block
      title={t("prefs.section.keys")}
      action={
        <a className="text-sm underline underline-offset-3" href={`#${settingsPath(agentId, "keys")}`}>
          {t("keys.changeThem")}
        </a>
      }
    >
      <ul className="space-y-1.5">
        {bound.map((one) => (
          <li key={`${one.by} ${one.keys}`} className="flex items-baseline gap-2.5 text-sm">
            <KeyCap keys={one.keys} />
            <span className="min-w-0 text-mute">{words(one.target)}</span>
          </li>
        ))}
        {idle.map((one) => (
          <li key={`idle ${one.keys} ${one.command ?? ""}`} className="text-sm text-warn">
            {sentence(one)}
          </li>
        ))}
      </ul>
    </Block>
  );
}
