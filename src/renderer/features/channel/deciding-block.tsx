import { useTranslation } from "react-i18next";
import { rpc } from "../../base/client/rpc.ts";
import { useAction } from "../../ui/action.ts";
import { Switch } from "../../ui/controls/switch.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Block } from "../../ui/well.tsx";

const set = (agentId: string, key: string, decidesApprovals: boolean) =>
  rpc.agentPlugins.set({ agentId, key, decidesApprovals });

interface DecidingBlockProps {
  agentId: string;
  pluginKey: string;
  /** What is stored; undefined in rows of older versions, where it holds if the settings name owners. */
  decides: boolean | undefined;
  hasOwners: boolean;
}

/** Whether the owners of a channel may decide waiting calls from its chats. */
export function DecidingBlock({ agentId, pluginKey, decides, hasOwners }: DecidingBlockProps) {
  const { t } = useTranslation();
  const setting = useAction(set);
  return (
    <Block title={t("deciding.title")}>
      <div className="flex items-start gap-4 text-sm">
        <p className="min-w-0 flex-1 text-mute" id="deciding-text">
          {t("deciding.text")}
        </p>
        <Switch
          label={t("deciding.label")}
          describedBy="deciding-text"
          checked={decides ?? hasOwners}
          pending={setting.busy}
          onChange={(checked) => void setting.act(agentId, pluginKey, checked)}
        />
      </div>
      {setting.problem && <ProblemNote className="mt-3" problem={setting.problem} />}
    </Block>
  );
}
