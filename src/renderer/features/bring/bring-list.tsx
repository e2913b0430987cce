import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FoundPlugin } from "../../../contract/found/found.ts";
import { useMirror } from "../../store/mirror.ts";
import { cx } from "../../ui/class-names.ts";
import { Button } from "../../ui/controls/button.tsx";
import { BringRow } from "./bring-row.tsx";
import { useBring } from "./use-bring.ts";

/** Servers with a tick each, the agent that gets them, and one consent for all that were ticked. */
export function BringList({
  servers,
  agentId: given,
  label,
  stays = false,
}: {
  servers: readonly FoundPlugin[];
  agentId: string;
  label?: string;
  /** The buttons stay in sight while the page is scrolled. */
  stays?: boolean;
}) {
  const { t } = useTranslation();
  const agents = useMirror((state) => state.agents);
  const [agentId, setAgentId] = useState(given);
  const bring = useBring(servers, agentId);
  const { ticked, waiting } = bring;
  const isAsking = waiting.length > 0;
  return (
    <div className="overflow-clip rounded-lg border border-line bg-surface shadow-card">
      <ul aria-label={label ?? t("bring.list")} className="divide-y divide-line">
        {servers.map((plugin) => (
          <li key={plugin.spec}>
            <BringRow plugin={plugin} bring={bring} agentId={agentId} />
          </li>
        ))}
      </ul>
      <footer
        className={cx(
          "flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-surface px-4 py-2.5",
          stays && "sticky -bottom-8",
        )}
      >
        <label className="flex items-center gap-2 text-sm">
          <span className="text-mute">{t("bring.for")}</span>
          <select
            className="field h-8 w-auto max-w-48 py-0 text-sm"
            value={agentId}
            onChange={(event) => setAgentId(event.target.value)}
          >
            {[...agents.values()].map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <p className="min-w-0 flex-1 text-sm text-mute">{isAsking && t("bring.agreeText")}</p>
        {isAsking ? (
          <Button look="accent" ahead busy={bring.busy} onClick={() => void bring.agree()}>
            {t("bring.agree", { count: waiting.length })}
          </Button>
        ) : (
          <Button
            look={ticked.size > 0 ? "accent" : "plain"}
            busy={bring.busy}
            disabled={ticked.size === 0}
            onClick={() => void bring.go()}
          >
            {t("bring.go", { count: ticked.size })}
          </Button>
        )}
      </footer>
    </div>
  );
}
