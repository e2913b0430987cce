import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemLine } from "../../base/i18n/problem-words.ts";
import { Spinner } from "../../ui/spinner.tsx";
import type { ModelDraft } from "./model-draft.ts";
import { factsOf } from "./model-facts.ts";
import type { ModelCheck } from "./use-model-list.ts";

/** What the provider said when it was asked, and what is known of the model that was chosen. */
export function HeardLine({ check, draft, name }: { check: ModelCheck; draft: ModelDraft; name: string }) {
  const { t } = useTranslation();
  const { heard, asking } = check;
  const model = draft.model.trim();
  const chosen = heard?.ok ? heard.models.find(({ id }) => id === model) : undefined;
  const facts = chosen && factsOf(chosen, t);
  return (
    <div className="space-y-1 text-xs empty:hidden [&>*]:mt-2">
      <div role="status">
        {asking && (
          <p className="flex items-center gap-2 text-mute">
            <Spinner />
            {t("model.asking")}
          </p>
        )}
        {heard && !heard.ok && (
          <p className="flex items-start gap-1.5 font-medium text-bad">
            <CircleAlert className="mt-px size-3.5 shrink-0" aria-hidden="true" />
            {problemLine(heard.problem)}
          </p>
        )}
        {heard?.ok && (
          <p
            className={
              heard.source === "catalogue"
                ? "flex items-start gap-1.5 text-mute"
                : "flex items-start gap-1.5 font-medium"
            }
          >
            <CircleCheck className="mt-px size-3.5 shrink-0 text-ok" aria-hidden="true" />
            {heard.source === "catalogue"
              ? t(heard.models.length > 0 ? "model.heard.catalogue" : "model.heard.noList")
              : t(
                  heard.keySeen
                    ? "model.heard.works"
                    : draft.key === "" && draft.keyReference === ""
                      ? "model.heard.open"
                      : "model.heard.listed",
                  { count: heard.models.length },
                )}
          </p>
        )}
      </div>
      {facts && <p className="text-mute">{facts}</p>}
      {heard?.ok && heard.models.length > 0 && model !== "" && !chosen && (
        <p className="flex items-start gap-1.5 text-warn">
          <TriangleAlert className="mt-px size-3.5 shrink-0" aria-hidden="true" />
          {t("model.unlisted", { model, name })}
        </p>
      )}
    </div>
  );
}
