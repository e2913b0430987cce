import { useTranslation } from "react-i18next";
import type { OfferedProvider } from "../../../contract/offers/provider-plan.ts";
import { useDisplayName } from "../../model/rows.ts";
import type { ModelDraft } from "./model-draft.ts";

interface ProviderNoteProps {
  draft: ModelDraft;
  /** Undefined: no running plugin offers it now. */
  provider: OfferedProvider | undefined;
  onChange(draft: ModelDraft): void;
}

/** Where a plugin's provider leads, and the question whether a stored key may be sent there. */
export function ProviderNote({ draft, provider, onChange }: ProviderNoteProps) {
  const { t } = useTranslation();
  const plugin = useDisplayName(provider?.plugin ?? null);
  const asks = draft.keyVariable !== "" && draft.keyTaken && draft.keyReference === "" && draft.key === "";
  const words = { name: draft.keyVariable, address: draft.baseUrl };
  return (
    <div className="mt-3 space-y-2 text-sm">
      <p>
        {plugin ? t("model.via.from", { plugin }) : t("model.via.gone")}{" "}
        <code className="figure break-all">{draft.baseUrl}</code>
      </p>
      {provider?.isNear && <p className="text-warn">{t("model.via.near")}</p>}
      {asks && (
        <label className="flex items-start gap-2.5 rounded-md border border-warn/40 bg-warn-wash px-3 py-2">
          <input
            type="checkbox"
            className="mt-0.5"
            checked={draft.agreed}
            onChange={(event) => onChange({ ...draft, agreed: event.target.checked })}
          />
          <span>
            <span className="font-medium">{t("model.via.send", words)}</span>{" "}
            <span className="text-mute">{t("model.via.sendHelp", words)}</span>
          </span>
        </label>
      )}
    </div>
  );
}
