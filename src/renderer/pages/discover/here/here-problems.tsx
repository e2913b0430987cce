import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Looked } from "../../../../contract/found/found.ts";
import { useRuntimeName } from "../../../model/runtimes.ts";

/** What could not be read of an installation; what was found is shown all the same. */
export function HereProblems({ looked }: { looked: readonly Looked[] }) {
  return looked.map((one) => one.problem !== null && <Problem key={one.runtime} {...one} />);
}

function Problem({ runtime, problem }: Looked) {
  const { t } = useTranslation();
  const system = useRuntimeName(runtime);
  return (
    <p
      role="note"
      className="mb-3 flex items-start gap-3 rounded-lg border border-warn/35 bg-warn-wash px-4 py-2.5 text-sm"
    >
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden="true" />
      <span className="min-w-0 break-words">
        <span className="font-medium">{t("here.partly", { system })}</span>{" "}
        <span className="text-mute">{problem}</span>
      </span>
    </p>
  );
}
