import { Check, Plus, RotateCw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Problem } from "../../../contract/errors.ts";
import { isObject } from "../../../contract/is-object.ts";
import { hostSettingOf, listAt } from "../../../contract/shown/host-setting.ts";
import { rpc } from "../../base/client/rpc.ts";
import { displayName, type Row, useRow } from "../../model/rows.ts";
import { putRow, useMirror } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";

/** A host that a call was refused for, as the core judged it. */
interface Offer {
  host: string;
  reads?: string;
}

/** The host that the person may add after a call failed; null when there is none. */
export function offerIn(problem: Problem | null | undefined): Offer | null {
  const offer = problem?.details?.refusedHost;
  if (!isObject(offer) || typeof offer.host !== "string") return null;
  return { host: offer.host, ...(typeof offer.reads === "string" && { reads: offer.reads }) };
}

interface RefusedHostProps {
  agentId: string;
  pluginKey: string;
  offer: Offer;
  /** The problem says already what was refused. */
  isSaid: boolean;
  /** Sends the agent a message; absent while it is busy, and where the conversation has gone on. */
  onAsk: ((text: string) => void) | undefined;
}

async function add(agentId: string, key: string, host: string): Promise<boolean> {
  putRow(await rpc.agentPlugins.addHost({ agentId, key, host }));
  return true;
}

/** A host that a plugin may not reach, with the way to let it: what that will do, and then the call once more. */
export function RefusedHost({ agentId, pluginKey, offer, isSaid, onAsk }: RefusedHostProps) {
  const { t } = useTranslation();
  const row = useRow(agentId, pluginKey);
  const agent = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  const [asked, setAsked] = useState(false);
  const [added, setAdded] = useState(false);
  const adding = useAction(add);
  const { host, reads } = offer;
  const names = { host, agent, plugin: displayName(row) };
  if (added || (isSaid ? isListed(row, host) : isGranted(row, host)))
    return (
      <div className="mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-2">
        <p role="status" className="flex min-w-0 items-center gap-1.5 text-sm">
          <Check className="size-4 shrink-0 text-ok" aria-hidden="true" />
          <span className="min-w-0 break-words">{t("refusedHost.added", names)}</span>
        </p>
        {onAsk && (
          <Button
            size="sm"
            look="accent"
            autoFocus={added}
            icon={<RotateCw className="size-3.5" aria-hidden="true" />}
            onClick={() => onAsk(t("refusedHost.message", names))}
          >
            {t("refusedHost.again")}
          </Button>
        )}
      </div>
    );
  if (!row.plugin) return null;
  return (
    <div className="mt-2.5 text-sm">
      {!isSaid && <p className="mb-2 break-words">{t("refusedHost.says", names)}</p>}
      {asked ? (
        <div className="rounded-md border border-line bg-sunk px-3 py-2.5">
          <p className="break-words">{t("refusedHost.will", names)}</p>
          {reads !== undefined && (
            <p className="mt-1 break-words text-warn">{t("refusedHost.reads", { ...names, reads })}</p>
          )}
          <div className="mt-2.5 flex flex-wrap gap-2">
            <Button
              size="sm"
              look="accent"
              autoFocus
              busy={adding.busy}
              onClick={async () => setAdded((await adding.act(agentId, pluginKey, host)) ?? false)}
            >
              <span className="max-w-[40ch] truncate">{t("refusedHost.allow", names)}</span>
            </Button>
            <Button size="sm" disabled={adding.busy} onClick={() => setAsked(false)}>
              {t("refusedHost.cancel")}
            </Button>
          </div>
          {adding.problem && <ProblemNote className="mt-2.5" problem={adding.problem} />}
        </div>
      ) : (
        <Button
          size="sm"
          icon={<Plus className="size-3.5" aria-hidden="true" />}
          onClick={() => setAsked(true)}
        >
          <span className="max-w-[40ch] truncate" title={host}>
            {t("refusedHost.add", names)}
          </span>
        </Button>
      )}
    </div>
  );
}

/** Whether the host is on the list in the plugin's settings by now. */
function isListed({ plugin, view }: Row, host: string): boolean {
  const schema = plugin?.declaration.configSchema;
  const path = hostSettingOf(schema);
  return path !== null && listAt(schema, view?.config, path).includes(host);
}

/** Whether the wall lets the plugin reach the host by now. */
function isGranted({ view }: Row, host: string): boolean {
  const { hosts = [], refused = [] } = view?.grants?.network ?? {};
  return hosts.includes(host) && !refused.includes(host);
}
