import { useTranslation } from "react-i18next";
import type { LocalModel } from "../../../features/models/use-local-models.ts";
import { Button } from "../../../ui/controls/button.tsx";

const most = 3;

interface LocalModelsProps {
  models: LocalModel[];
  /** The one that is asked now. */
  asked: string | null;
  onUse(model: LocalModel): void;
}

/** What was found on this computer: one press asks a model and takes it. */
export function LocalModels({ models, asked, onUse }: LocalModelsProps) {
  const { t } = useTranslation();
  return (
    <section aria-label={t("welcome.local")} className="mb-5">
      <h3 className="mb-2 text-sm font-semibold">{t("welcome.local")}</h3>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
        {models.slice(0, most).map((one) => (
          <li
            key={`${one.baseUrl} ${one.model}`}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5"
          >
            <div className="min-w-0 flex-1 basis-40">
              <p className="figure truncate font-semibold" title={one.model}>
                {one.model}
              </p>
              <p className="text-xs text-mute">{t("welcome.localFrom", { server: one.server })}</p>
            </div>
            <Button
              look="accent"
              busy={asked === one.model}
              disabled={asked !== null}
              aria-label={t("welcome.localUseName", { model: one.model })}
              onClick={() => onUse(one)}
            >
              {t("welcome.localUse")}
            </Button>
          </li>
        ))}
      </ul>
      <h3 className="mt-5 text-sm font-semibold">{t("welcome.localOther")}</h3>
    </section>
  );
}
