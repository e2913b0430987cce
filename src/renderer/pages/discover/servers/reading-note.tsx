import { useTranslation } from "react-i18next";
import { formatCount } from "../../../base/i18n/time.ts";
import { useMirror } from "../../../store/mirror.ts";
import { Spinner } from "../../../ui/spinner.tsx";

/** Says how far the first reading of the MCP Registry's list is, which takes a while; what others list is there meanwhile. */
export function ReadingNote() {
  const { t } = useTranslation();
  const count = useMirror((state) => state.mcpList?.reading ?? null);
  if (count === null) return null;
  return (
    <p role="status" className="mb-4 flex items-center gap-2.5 text-sm text-mute">
      <Spinner />
      {count === 0 ? t("servers.reading") : t("servers.readingCount", { count, shown: formatCount(count) })}
    </p>
  );
}
