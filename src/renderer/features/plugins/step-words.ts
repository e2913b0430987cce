import type { TFunction } from "i18next";
import type { Problem } from "../../../contract/errors.ts";
import type { NextStep } from "../../model/health.ts";
import { missingPackages } from "../../model/missing-packages.ts";

/** What stands on the button of a step, with the name of what it installs. */
export function stepWords(step: NonNullable<NextStep>, problem: Problem | null, t: TFunction): string {
  if (step !== "packages") return t(`step.${step}`);
  const packages = missingPackages(problem);
  return t("step.packages", { count: packages.length, name: packages[0] ?? "" });
}
