import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Suspicion } from "../../../contract/tools/said.ts";

/** What in a text may be meant to mislead, each with its passage. */
export function SuspicionList({ suspicions }: { suspicions: readonly Suspicion[] }) {
  const { t } = useTranslation();
  if (suspicions.length === 0) return null;
  return (
    <ul className="mt-1.5 space-y-1 text-sm text-warn">
      {suspicions.map(({ kind, passage }) => (
        <li key={kind} className="flex items-start gap-2">
          <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden="true" />
          <span className="min-w-0 wrap-anywhere">
            {t(`offered.suspicion.${kind}`)}{" "}
            <q className="figure">
              <bdi>{passage}</bdi>
            </q>
          </span>
        </li>
      ))}
    </ul>
  );
}
