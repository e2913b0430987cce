import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { rpc } from "../../../base/client/rpc.ts";
import { Button } from "../../../ui/controls/button.tsx";

type LocalModel = Awaited<ReturnType<typeof rpc.models.local>>[number];

const most = 3;

/** The models that run on this computer; none while that is not known, or cannot be asked. */
export function useLocalModels(): LocalModel[] {
  const [found, setFound] = useState<LocalModel[]>([]);
  useEffect(() => {
    let left = false;
    rpc.models.local().then(
      (models) => !left && setFound(models),
      () => {},
    );
    return () => {
      left = true;
    };
  }, []);
  return found;
}

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
