import { KeyRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { PluginPermissions } from "../../../contract/permissions/view.ts";
import { useMirror } from "../../store/mirror.ts";

/** The secrets that the plugin does not get, because Patchbay puts them in on the way. Nothing where there are none. */
export function PutInSecrets({ secrets }: { secrets: PluginPermissions["putIn"] }) {
  const { t } = useTranslation();
  const walled = useMirror((state) => state.walls?.stands !== false);
  if (secrets.length === 0) return null;
  return (
    <ul className="space-y-2 rounded-lg border border-line bg-surface px-4 py-3 text-sm">
      {secrets.map(({ key, label, hosts }) => (
        <li key={key} className="flex items-start gap-2.5">
          <KeyRound className="mt-0.5 size-4 shrink-0 text-mute" aria-hidden="true" />
          <bdi className="min-w-0 break-words">
            {t(walled ? "permissions.putIn" : "permissions.notPutIn", { label, hosts: hosts.join(", ") })}
          </bdi>
        </li>
      ))}
    </ul>
  );
}
