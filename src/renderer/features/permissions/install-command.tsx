import { useTranslation } from "react-i18next";
import { CopyButton } from "../../ui/controls/copy-button.tsx";

/** The command that installs what is missing for walls, to copy. */
export function InstallCommand({ command }: { command: string }) {
  const { t } = useTranslation();
  return (
    <span className="inline-flex max-w-full items-center rounded-md border border-line bg-surface pl-2.5">
      <code className="figure min-w-0 overflow-x-auto whitespace-nowrap">{command}</code>
      <CopyButton label={t("walls.copy")} text={() => command} />
    </span>
  );
}
