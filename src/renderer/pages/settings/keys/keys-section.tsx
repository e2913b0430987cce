import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { KeyArea } from "../../../../contract/keys/commands.ts";
import { useAgentId } from "../../../base/routes.ts";
import { isMac, useIdleSentence, useKeyPlan } from "../../../features/keys/public.ts";
import { useMirror } from "../../../store/mirror.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Block } from "../../../ui/well.tsx";
import { KeyLine } from "./key-line.tsx";
import { commandRows, type KeyRow, shortcutRows } from "./key-rows.ts";
import { putAllKeysBack } from "./own-keys.ts";

const areas = ["app", "conversation", "composer"] as const satisfies KeyArea[];

/** What each key does for the agent of the address, and the way to choose another. */
export function KeysSection() {
  const { t } = useTranslation();
  const agentId = useAgentId();
  const plan = useKeyPlan(agentId);
  const own = useMirror((state) => state.settings?.keys);
  const agent = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  const sentence = useIdleSentence();
  const [recording, setRecording] = useState<string | null>(null);
  const reset = useAction(putAllKeysBack);
  if (!own) return null;
  const shortcuts = shortcutRows(plan, own);
  const line = (row: KeyRow) => (
    <KeyLine
      key={row.id}
      row={row}
      plan={plan}
      recording={recording === row.id}
      onRecord={(on) => setRecording((now) => (on ? row.id : now === row.id ? null : now))}
    />
  );
  return (
    <div className="space-y-4">
      <Block title={t("keys.area.plugins", { agent })}>
        {shortcuts.length === 0 && plan.idle.length === 0 ? (
          <EmptyState title={t("keys.noPlugins")} text={t("keys.noPluginsText")} />
        ) : (
          <ul className="divide-y divide-line">{shortcuts.map(line)}</ul>
        )}
        {plan.idle.length > 0 && (
          <div className="mt-3 border-t border-line pt-3">
            <h3 className="text-sm font-semibold">{t("keys.idle")}</h3>
            <ul className="mt-1 space-y-1 text-sm text-mute">
              {plan.idle.map((idle) => (
                <IdleLine
                  key={`${idle.plugin} ${idle.keys} ${idle.command ?? ""}`}
                  plugin={idle.plugin}
                  text={sentence(idle)}
                />
              ))}
            </ul>
          </div>
        )}
      </Block>
      {areas.map((area) => (
        <Block key={area} title={t(`keys.area.${area}`)}>
          <ul className="divide-y divide-line">{commandRows(plan, own, area, isMac).map(line)}</ul>
        </Block>
      ))}
      {reset.problem && <ProblemNote problem={reset.problem} />}
      {Object.keys(own).length > 0 && (
        <Button busy={reset.busy} onClick={() => void reset.act()}>
          {t("keys.putAllBack")}
        </Button>
      )}
    </div>
  );
}

function IdleLine({ plugin, text }: { plugin: string; text: string }) {
  const name = useMirror((state) => state.plugins.get(plugin)?.displayName ?? plugin);
  return (
    <li>
      <span className="font-medium text-ink">{name}</span> {text}
    </li>
  );
}
