import { useTranslation } from "react-i18next";
import type { Looked } from "../../../../contract/found/found.ts";
import { useRuntimeName } from "../../../model/runtimes.ts";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { HereProblems } from "./here-problems.tsx";

/** No other program has plugins here: said with the places that were looked at. */
export function NothingHere({ looked }: { looked: readonly Looked[] }) {
  const { t } = useTranslation();
  return (
    <div className="mx-auto mt-[6vh] grid max-w-[60ch] justify-items-center">
      <HereProblems looked={looked} />
      <EmptyState
        size="page"
        as="h2"
        className="pb-4"
        title={t("here.nothing")}
        text={
          <div className="grid gap-3">
            <p>{t("here.nothingHelp")}</p>
            <dl className="grid gap-2 text-left text-sm">
              {looked.map((one) => (
                <Places key={one.runtime} {...one} />
              ))}
            </dl>
          </div>
        }
      />
    </div>
  );
}

function Places({ runtime, places }: Looked) {
  const system = useRuntimeName(runtime);
  return (
    <div>
      <dt className="font-semibold text-ink">{system}</dt>
      {places.map((place) => (
        <dd key={place} className="figure break-all text-mute">
          {place}
        </dd>
      ))}
    </div>
  );
}
