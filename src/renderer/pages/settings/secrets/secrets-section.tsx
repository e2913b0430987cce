import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SecretInfo } from "../../../../contract/vault.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { formatAgo, useNow } from "../../../base/i18n/time.ts";
import { useKept } from "../../../store/kept.ts";
import { useMirror } from "../../../store/mirror.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Button } from "../../../ui/controls/button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { MissingSecrets, Uses } from "./missing-secrets.tsx";
import { NewSecret, ReplaceSecret, replacementOf } from "./secret-forms.tsx";
import { useSecrets } from "./use-secrets.ts";
import { VaultBlock } from "./vault-block.tsx";

/** Which secrets are stored and who uses them. No value ever comes here. */
export function SecretsSection() {
  const { t } = useTranslation();
  const { secrets, missing, problem, read } = useSecrets();
  /** The name in the form at its beginning; null while the form is closed. */
  const [adding, setAdding] = useKept<string | null>("secret being added", () => null);
  return (
    <div className="space-y-3">
      {problem && <ProblemNote problem={problem} />}
      <VaultBlock onChanged={() => void read()} />
      <MissingSecrets missing={missing} onStore={setAdding} />
      {secrets && secrets.length > 0 && (
        <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-card">
          {secrets.map((secret) => (
            <li key={`${secret.agentId ?? ""}/${secret.name}`}>
              <SecretRow secret={secret} onChanged={() => void read()} />
            </li>
          ))}
        </ul>
      )}
      {secrets?.length === 0 && adding === null && (
        <p className="rounded-lg border border-dashed border-line-strong px-4 py-5 text-sm text-mute">
          {t("secrets.none")}
        </p>
      )}
      {adding !== null ? (
        <NewSecret
          key={adding}
          initialName={adding}
          onClose={() => setAdding(null)}
          onStored={() => {
            setAdding(null);
            void read();
          }}
        />
      ) : (
        <Button icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => setAdding("")}>
          {t("secrets.add")}
        </Button>
      )}
    </div>
  );
}

function SecretRow({ secret, onChanged }: { secret: SecretInfo; onChanged(): void }) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const [deleting, setDeleting] = useState(false);
  const agents = useMirror((state) => state.agents);
  const plugins = useMirror((state) => state.plugins);
  const { name, agentId } = secret;
  const [replacing, setReplacing] = useKept(`${replacementOf(secret)} open`, () => false);
  const agentName = (id: string) => agents.get(id)?.name ?? id;
  const pluginName = (key: string) => plugins.get(key)?.displayName ?? key;
  const consequences = secret.usedBy.map((use) =>
    use.pluginKey === null
      ? t("secrets.deleteModel", { agent: agentName(use.agentId) })
      : t("secrets.deleteStops", { plugin: pluginName(use.pluginKey), agent: agentName(use.agentId) }),
  );

  return (
    <div className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <KeyRound className="size-4 shrink-0 text-hint" aria-hidden="true" />
        <div className="min-w-0 flex-1">
          <h3 className="flex items-center gap-2">
            <span className="truncate font-mono text-sm font-medium">{name}</span>
            {agentId !== null && <Badge>{t("secrets.only", { agent: agentName(agentId) })}</Badge>}
          </h3>
          <p className="mt-0.5 text-xs text-mute">
            {secret.usedBy.length === 0 ? t("secrets.unused") : `${t("secrets.usedBy")}: `}
            <Uses uses={secret.usedBy} />
            {secret.usedBy.length > 1 && ` · ${t("vault.uses", { count: secret.usedBy.length })}`}
            {" · "}
            {t("secrets.changed", { time: formatAgo(secret.updatedAt, now) })}
          </p>
        </div>
        {!replacing && (
          <>
            <Button
              size="sm"
              aria-label={t("secrets.replaceName", { name })}
              onClick={() => setReplacing(true)}
            >
              {t("secrets.replace")}
            </Button>
            <Button
              size="sm"
              look="danger"
              aria-label={t("secrets.deleteName", { name })}
              onClick={() => setDeleting(true)}
            >
              {t("secrets.delete")}
            </Button>
          </>
        )}
      </div>
      {replacing && (
        <ReplaceSecret
          secret={secret}
          onClose={() => setReplacing(false)}
          onStored={() => {
            setReplacing(false);
            onChanged();
          }}
        />
      )}
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t("secrets.deleteTitle", { name })}
        consequences={[
          ...(consequences.length > 0 ? consequences : [t("secrets.deleteUnused")]),
          t("secrets.deleteForGood"),
        ]}
        verb={t("secrets.delete")}
        danger
        run={async () => {
          await rpc.secrets.remove({ name, agentId });
          onChanged();
        }}
      />
    </div>
  );
}
