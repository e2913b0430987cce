import { FolderOpen, Globe, KeyRound, SquareTerminal } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { PermissionLine } from "../../model/permission-lines.ts";
import { permissionWords } from "../../model/permission-words.ts";

/** What a plugin asks for, or what holds of it: one line a kind. */
export function AsksList({ lines }: { lines: readonly PermissionLine[] }) {
  const { t } = useTranslation();
  return (
    <ul className="space-y-2 text-sm">
      {lines.map((line) => (
        <li key={line.kind} className="flex items-start gap-2.5">
          <KindIcon kind={line.kind} />
          <span className={line.asks ? "min-w-0 break-words text-ink" : "text-mute"}>
            {permissionWords(line, t)}
          </span>
        </li>
      ))}
    </ul>
  );
}

const icons = { network: Globe, files: FolderOpen, subprocess: SquareTerminal, grants: KeyRound };

function KindIcon({ kind }: { kind: PermissionLine["kind"] }) {
  const Icon = icons[kind];
  return <Icon className="mt-0.5 size-4 shrink-0 text-mute" aria-hidden="true" />;
}
