import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useRouteError } from "react-router";
import { Button } from "../ui/controls/button.tsx";

/** In the place of a screen that could not be loaded or drawn. The rest goes on. */
export function BrokenScreen() {
  const { t } = useTranslation();
  const error = useRouteError();
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return (
    <div role="alert" className="h-full overflow-y-auto px-6 py-10">
      <div className="mx-auto grid min-h-full max-w-[640px] place-content-center justify-items-center gap-2 text-center">
        <CircleAlert className="mb-2 size-8 text-bad" aria-hidden="true" />
        <h1 className="title">{t("broken.title")}</h1>
        <p className="mb-3 max-w-[52ch] text-pretty text-mute">{t("broken.text")}</p>
        <Button look="accent" onClick={() => location.reload()}>
          {t("broken.reload")}
        </Button>
        <details className="mt-5 w-full min-w-0 text-left text-sm text-mute">
          <summary className="text-center">{t("problem.details")}</summary>
          <pre className="figure mt-2 max-h-60 overflow-auto rounded-md bg-sunk p-3">{details}</pre>
        </details>
      </div>
    </div>
  );
}
