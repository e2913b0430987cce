import type { TFunction } from "i18next";
import type { LiveFailure } from "../../../../contract/trace/live-traces.ts";

/** Why traces do not arrive, as a sentence. */
export function failureWords(failure: LiveFailure, t: TFunction): string {
  switch (failure.kind) {
    case "unreachable":
      return t(`live.unreachable.${failure.why}`);
    case "secret":
      return t("live.noSecret", { name: failure.name });
    case "refused":
      if (failure.status === 401 || failure.status === 403) return t("live.refused.key");
      if (failure.status === 404 || failure.status === 405) return t("live.refused.path");
      return t("live.refused.other", { status: failure.status });
  }
}
