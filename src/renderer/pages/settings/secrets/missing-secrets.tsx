import { KeyRound } from "lucide-react";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { MissingSecret } from "../../../../contract/vault.ts";
import { pluginPath } from "../../../base/routes.ts";
import { useMirror } from "../../../store/mirror.ts";
import { Button } from "../../../ui/controls/button.tsx";

/** Names that something refers to and that have no value yet. */
export function MissingSecrets({
  missing,
  onStore,
}: {
  missing: MissingSecret[];
  onStore(name: string): void;
}) {
  const { t } = useTranslation();
  if (missing.length === 0) return null;
  return (
    <section aria-label={t("vault.missing")} className="rounded-lg border border-warn/40 bg-warn-wash">
      <h3 className="px-4 pt-3 text-sm font-semibold">{t("vault.missing")}</h3>
      <ul className="divide-y divide-warn/25">
        {missing.map(({ name, neededBy }) => (
          <li key={name} className="flex flex-wrap items-center gap-3 px-4 py-2.5">
            <KeyRound className="size-4 shrink-0 text-warn" aria-hidden="true" />
            <div className="min-w-0 flex-1">
              <p className="truncate font-mono text-sm font-medium">{name}</p>
              <p className="text-xs text-mute">
                {`${t("vault.neededBy")}: `}
                <Uses uses={neededBy} />
              </p>
            </div>
            <Button size="sm" aria-label={t("vault.storeName", { name })} onClick={() => onStore(name)}>
              {t("vault.storeIt")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Who refers to a secret, as links. */
export function Uses({ uses }: { uses: { agentId: string; pluginKey: string | null }[] }) {
  const { t } = useTranslation();
  const agents = useMirror((state) => state.agents);
  const plugins = useMirror((state) => state.plugins);
  const agentName = (id: string) => agents.get(id)?.name ?? id;
  return uses.map(({ agentId, pluginKey }, index) => (
    <Fragment key={`${agentId}/${pluginKey}`}>
      {index > 0 && ", "}
      {pluginKey === null ? (
        t("secrets.modelOf", { agent: agentName(agentId) })
      ) : (
        <Link
          to={pluginPath(agentId, pluginKey, "settings")}
          className="text-ink underline decoration-line-strong underline-offset-3 hover:decoration-accent"
        >
          {plugins.get(pluginKey)?.displayName ?? pluginKey} ({agentName(agentId)})
        </Link>
      )}
    </Fragment>
  ));
}
