import type { TFunction } from "i18next";
import type { GrantStep } from "../../../contract/permissions/compared.ts";

/** One step in words, to stand in a list. */
export function stepWords(t: TFunction, step: GrantStep): string {
  switch (step.of) {
    case "host":
      return step.name;
    case "reach":
      return t(`permissions.step.reach.${step.reach}`);
    case "refusal":
      return t("permissions.step.refusal", { name: step.name });
    case "workspace":
      return t(`permissions.step.workspace.${step.access}`);
    case "folder":
      return t(`permissions.step.folder.${step.access}`, { path: step.path });
    case "program":
      return t("permissions.step.program", { name: step.name });
    case "programs":
      return t(`permissions.step.programs.${step.reach}`);
    case "model":
      return t("permissions.step.model");
  }
}
