import { useTranslation } from "react-i18next";
import { useProviders } from "../../features/models/public.ts";
import { useMirror } from "../../store/mirror.ts";
import { Block } from "../../ui/well.tsx";

/** Where models answer that the running plugin offers, and why some of that cannot be chosen. */
export function PluginProviders({ agentId, plugin }: { agentId: string; plugin: string }) {
  const { t } = useTranslation();
  const plugins = useMirror((state) => state.plugins);
  const { offered, idle } = useProviders(agentId);
  const own = offered.filter((one) => one.plugin === plugin);
  const left = idle.filter((one) => one.plugin === plugin);
  if (own.length === 0 && left.length === 0) return null;
  return (
    <Block title={t("provider.title")}>
      <ul className="space-y-1.5 text-sm">
        {own.map(({ name, baseUrl }) => (
          <li key={name} className="wrap-anywhere">
            <code className="figure font-semibold">{name}/…</code>{" "}
            <span className="text-mute">{baseUrl}</span>
          </li>
        ))}
        {left.map(({ name, why, speaks, baseUrl, keeper = "" }) => (
          <li key={`${name} ${why} ${baseUrl}`} className="text-warn wrap-anywhere">
            {t(`provider.${why}`, {
              name,
              speaks,
              baseUrl,
              keeper: plugins.get(keeper)?.displayName ?? keeper,
            })}
          </li>
        ))}
      </ul>
    </Block>
  );
}
