import { useTranslation } from "react-i18next";
import { useMirror } from "../../../store/mirror.ts";
import { Face } from "../../../ui/face.tsx";
import { runtimeColour } from "../../../ui/patch/colours.ts";

/** Whose something is: the plugin's mark, its name, and the colour of its plugin system as a plugged-in jack. */
export function PluginName({ owner }: { owner: string | null }) {
  const { t } = useTranslation();
  const plugin = useMirror((state) => (owner === null ? undefined : state.plugins.get(owner)));
  if (owner === null) return <span className="text-sm font-semibold">{t("tools.builtIn")}</span>;
  const name = plugin?.displayName ?? owner;
  return (
    <span className="inline-flex min-w-0 items-center gap-2">
      <Face
        size="sm"
        seed={owner}
        name={name}
        icon={plugin?.declaration.icon}
        ours={plugin?.source.kind === "builtin"}
      />
      <span className="truncate text-sm font-semibold">{name}</span>
      {plugin && (
        <span
          aria-hidden="true"
          className="size-2 shrink-0 rounded-full"
          style={{ backgroundColor: runtimeColour(plugin.runtime) }}
        />
      )}
    </span>
  );
}
