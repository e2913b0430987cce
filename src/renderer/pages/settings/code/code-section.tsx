import { Plus, RotateCw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { LanguageServerView } from "../../../../contract/procedures/languages.ts";
import { useAgentId } from "../../../base/routes.ts";
import { useMirror } from "../../../store/mirror.ts";
import { saveSettings } from "../../../store/save-settings.ts";
import { useAction } from "../../../ui/action.ts";
import { Button, TextButton } from "../../../ui/controls/button.tsx";
import { takeFocus } from "../../../ui/controls/take-focus.ts";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Block } from "../../../ui/well.tsx";
import { ServerForm } from "./server-form.tsx";
import { ServerLine } from "./server-line.tsx";
import { isSame, type OwnServer } from "./server-words.ts";
import { useServers } from "./use-servers.ts";

const save = (languageServers: OwnServer[]) => saveSettings({ languageServers });

const focusInside = (place: HTMLElement | null) => takeFocus(place?.querySelector("button") ?? null);

/** The language servers that plugins ask about the code in the agent's workspace. */
export function CodeSection() {
  const { t } = useTranslation();
  const agentId = useAgentId();
  const agent = useMirror((state) => state.agents.get(agentId));
  const own = useMirror((state) => state.settings?.languageServers);
  const { servers, problem, look } = useServers(agentId);
  const looking = useAction(look);
  if (!own) return null;
  const known = servers?.filter((server) => !server.own) ?? [];
  return (
    <div className="space-y-4">
      {problem && <ProblemNote problem={problem} />}
      <OwnServers
        key={agentId}
        agentId={agentId}
        own={own}
        servers={servers?.filter((server) => server.own) ?? []}
        onTried={() => void look()}
      />
      <Block
        title={t("code.known")}
        action={
          <Button
            size="sm"
            busy={looking.busy || servers === null}
            icon={<RotateCw className="size-3.5" aria-hidden="true" />}
            onClick={() => void looking.act()}
          >
            {t("python.look")}
          </Button>
        }
      >
        <p className="text-sm break-words text-mute">
          {t("code.knownText", { agent: agent?.name ?? agentId, workspace: agent?.workspace ?? "" })}
        </p>
        {servers === null ? (
          !problem && <p className="mt-3 text-sm text-mute">{t("code.looking")}</p>
        ) : (
          <ul className="mt-3 divide-y divide-line border-t border-line">
            {known.map((server) => (
              <li key={`${agentId} ${server.name}`} className="py-3 text-sm last:pb-0">
                <ServerLine agentId={agentId} server={server} onTried={() => void look()} />
              </li>
            ))}
          </ul>
        )}
      </Block>
    </div>
  );
}

interface OwnServersProps {
  agentId: string;
  own: readonly OwnServer[];
  /** The same, as they stand; behind the setting for a moment after it was changed. */
  servers: readonly LanguageServerView[];
  onTried(): void;
}

function OwnServers({ agentId, own, servers, onTried }: OwnServersProps) {
  const { t } = useTranslation();
  const saving = useAction(save);
  const [changed, setChanged] = useState<number | null>(null);
  const [removed, setRemoved] = useState<{ server: OwnServer; at: number } | null>(null);
  const [returned, setReturned] = useState<number | null>(null);
  const put = async (next: OwnServer[]) => (await saving.act(next)) !== undefined;
  const open = (at: number) => {
    setReturned(null);
    setChanged(at);
  };
  const close = (at: number) => {
    setChanged(null);
    setReturned(at);
  };
  const remove = async (server: OwnServer, at: number) => {
    if (await put(own.filter((_, other) => other !== at))) setRemoved({ server, at });
  };
  const putBack = async () => {
    if (removed && (await put(own.toSpliced(removed.at, 0, removed.server)))) setRemoved(null);
  };
  return (
    <Block title={t("code.own")}>
      {own.length === 0 && <p className="text-sm text-mute">{t("code.noOwn")}</p>}
      <ul className="divide-y divide-line">
        {own.map((server, at) => {
          const shown = servers.find((one) => isSame(one, server));
          const name = shown?.name ?? server.command[0] ?? "";
          return (
            <li key={JSON.stringify(server)} className="py-3 text-sm first:pt-0">
              {changed === at ? (
                <ServerForm
                  server={server}
                  others={own.filter((_, other) => other !== at)}
                  busy={saving.busy}
                  onSave={async (next) => {
                    const saved = await put(own.with(at, next));
                    if (saved) close(at);
                    return saved;
                  }}
                  onCancel={() => close(at)}
                />
              ) : shown ? (
                <ServerLine agentId={agentId} server={shown} onTried={onTried}>
                  <span ref={returned === at ? focusInside : undefined}>
                    <Button size="sm" aria-label={t("code.changeName", { name })} onClick={() => open(at)}>
                      {t("code.change")}
                    </Button>
                  </span>
                  <Button
                    size="sm"
                    look="danger"
                    disabled={saving.busy}
                    aria-label={t("code.removeName", { name })}
                    onClick={() => void remove(server, at)}
                  >
                    {t("code.remove")}
                  </Button>
                </ServerLine>
              ) : (
                <p className="text-mute">{t("code.looking")}</p>
              )}
            </li>
          );
        })}
      </ul>
      <div role="status">
        {removed && (
          <p className="mt-1 flex flex-wrap items-baseline gap-x-3 text-sm text-mute">
            {t("code.removed", { command: removed.server.command.join(" ") })}
            <span ref={focusInside}>
              <TextButton onClick={() => void putBack()}>{t("code.putBack")}</TextButton>
            </span>
          </p>
        )}
      </div>
      <div className="mt-3 border-t border-line pt-3.5" hidden={changed !== null}>
        <ServerForm
          others={own}
          busy={saving.busy && changed === null}
          icon={<Plus className="size-4" aria-hidden="true" />}
          onSave={(server) => put([...own, server])}
        />
      </div>
      {saving.problem && <ProblemNote className="mt-3" problem={saving.problem} />}
    </Block>
  );
}
