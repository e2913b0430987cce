import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Spinner } from "../../ui/spinner.tsx";

const RichText = lazy(async () => ({ default: (await import("../conversation/public.ts")).RichText }));

/** What a plugin's author says of it at length, folded. Pictures in it are not fetched. */
export function OwnWords({ text, open = false }: { text: string; open?: boolean }) {
  const { t } = useTranslation();
  return (
    <details open={open} className="rounded-lg border border-line bg-surface px-4 py-2.5 text-sm">
      <summary className="w-fit rounded-sm font-semibold hover:text-accent">{t("ownWords.title")}</summary>
      <p className="mt-1 text-mute">{t("ownWords.unchecked")}</p>
      <div className="mt-2 max-h-96 overflow-y-auto border-t border-line pt-2" tabIndex={0}>
        <Suspense fallback={<Spinner />}>
          <RichText text={text} />
        </Suspense>
      </div>
    </details>
  );
}
