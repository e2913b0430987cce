import { Unplug } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useMirror } from "../store/mirror.ts";

/** Instead of everything, when there is nothing to show and no way to get it. */
export function ConnectionScreen() {
  const { t } = useTranslation();
  const connection = useMirror((state) => state.connection);
  if (connection === "refused")
    return <Centre title={t("connection.refusedTitle")} text={t("connection.refusedText")} />;
  return <Centre title={t("connection.openingTitle")} text={t("connection.openingText")} />;
}

function Centre({ title, text }: { title: string; text: string }) {
  return (
    <main className="grid h-full place-content-center justify-items-center gap-2 px-8 text-center">
      <Unplug className="mb-2 size-8 text-hint" aria-hidden="true" />
      <h1 className="title">{title}</h1>
      <p className="max-w-[52ch] text-mute">{text}</p>
    </main>
  );
}
