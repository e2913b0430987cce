import { useTranslation } from "react-i18next";
import type { Grants } from "../../../../contract/grants.ts";
import { withPrograms } from "../grant-edits.ts";
import { NameList } from "./name-list.tsx";
import { ReachChoice } from "./reach-choice.tsx";

interface PartProps {
  grants: Grants;
  onChange(grants: Grants): void;
}

const reaches = ["none", "named", "any"] as const;

/** Which programs it may start. */
export function ProgramsPart({ grants, onChange }: PartProps) {
  const { t } = useTranslation();
  const { reach, names } = grants.programs;
  return (
    <>
      <ReachChoice
        label={t("permissions.programs.label")}
        value={reach}
        options={reaches.map((value) => ({
          value,
          label: t(`permissions.programs.${value}`),
          help: t(`permissions.programs.${value}Text`),
        }))}
        onChange={(value) => onChange(withPrograms(grants, { reach: value }))}
      />
      {reach === "named" && (
        <NameList
          title={t("permissions.programs.names")}
          names={names}
          add={t("permissions.programs.add")}
          example={t("permissions.programs.example")}
          accept={(text) => text.trim() || null}
          onChange={(next) => onChange(withPrograms(grants, { names: next }))}
        />
      )}
    </>
  );
}
