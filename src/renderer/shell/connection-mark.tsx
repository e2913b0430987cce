import { useTranslation } from "react-i18next";
import { useMirror } from "../store/mirror.ts";
import { cx } from "../ui/class-names.ts";
import { Spinner } from "../ui/spinner.tsx";

/** At the foot of the rail: whether what is shown is current. */
export function ConnectionMark() {
  const { t } = useTranslation();
  const connection = useMirror((state) => state.connection);
  const version = useMirror((state) => state.info?.version ?? "");
  const words = t(`connection.${connection}`, { version });
  return (
    <p
      role="status"
      data-connection={connection}
      title={words}
      className="flex min-w-0 flex-1 items-center gap-2.5 px-2.5 text-xs text-mute"
    >
      {connection === "live" ? (
        <span className="size-2.5 shrink-0 rounded-full bg-ok" aria-hidden="true" />
      ) : (
        <Spinner
          className={cx("size-3 shrink-0", (connection === "lost" || connection === "silent") && "text-warn")}
        />
      )}
      <span className="truncate group-data-narrow/rail:sr-only">{words}</span>
    </p>
  );
}
