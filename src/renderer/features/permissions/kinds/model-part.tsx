import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Grants } from "../../../../contract/grants.ts";
import { Switch } from "../../../ui/controls/switch.tsx";
import { withModel } from "../grant-edits.ts";

interface PartProps {
  grants: Grants;
  onChange(grants: Grants): void;
}

/** Whether it may ask the agent's model. */
export function ModelPart({ grants, onChange }: PartProps) {
  const { t } = useTranslation();
  const text = useId();
  return (
    <div className="flex items-start gap-3">
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-medium">{t("permissions.model.label")}</p>
        <p id={text} className="mt-0.5 text-mute">
          {t("permissions.model.text")}
        </p>
      </div>
      <Switch
        label={t("permissions.model.label")}
        describedBy={text}
        checked={grants.model === true}
        onChange={(may) => onChange(withModel(grants, may))}
      />
    </div>
  );
}
