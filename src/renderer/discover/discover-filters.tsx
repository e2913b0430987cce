import { useTranslation } from "react-i18next";
import { capabilityKinds } from "../plugins/filters.ts";
import { Chip } from "../ui/chip.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { formatCount } from "../ui/time.ts";
import { discover, useDiscover } from "./discover-store.ts";

/** Narrows the list by source, capability, runtime and by what is installed; only by what occurs. */
export function DiscoverFilters({ found, waiting }: { found: number; waiting: boolean }) {
  const { t } = useTranslation();
  const { filter, index } = useDiscover();
  const { source, runtime, capability, installed } = filter;
  const capabilities = capabilityKinds.filter((kind) => index.capabilities.includes(kind));
  const nothing = source === null && runtime === null && capability === null && installed === null;
  return (
    <div className="flex items-start justify-between gap-4">
      <fieldset className="flex flex-wrap items-center gap-1.5">
        <legend className="sr-only">{t("discover.filters")}</legend>
        <Chip
          on={nothing}
          onPress={() => discover.narrow({ source: null, runtime: null, capability: null, installed: null })}
        >
          {t("discover.all")}
        </Chip>
        {index.sources.length > 1 &&
          index.sources.map(({ name, count }) => (
            <Chip
              key={name}
              on={source === name}
              onPress={() => discover.narrow({ source: source === name ? null : name })}
              count={formatCount(count)}
            >
              {name}
            </Chip>
          ))}
        <Chip
          on={installed === true}
          onPress={() => discover.narrow({ installed: installed === true ? null : true })}
        >
          {t("discover.installedOnly")}
        </Chip>
        <Chip
          on={installed === false}
          onPress={() => discover.narrow({ installed: installed === false ? null : false })}
        >
          {t("discover.notInstalled")}
        </Chip>
        <Divider />
        {capabilities.map((kind) => (
          <Chip
            key={kind}
            on={capability === kind}
            onPress={() => discover.narrow({ capability: capability === kind ? null : kind })}
          >
            {t(`filter.capability.${kind}`)}
          </Chip>
        ))}
        {index.runtimes.length > 1 && (
          <>
            <Divider />
            {index.runtimes.map((each) => (
              <Chip
                key={each}
                on={runtime === each}
                onPress={() => discover.narrow({ runtime: runtime === each ? null : each })}
              >
                <span className="font-mono text-[11px]">{each}</span>
              </Chip>
            ))}
          </>
        )}
      </fieldset>
      <p role="status" className="flex h-[26px] shrink-0 items-center gap-2 text-xs text-mute">
        {waiting && <Spinner />}
        {t("discover.count", { count: found, shown: formatCount(found) })}
      </p>
    </div>
  );
}

function Divider() {
  return <span className="mx-1.5 h-4 w-px bg-line" aria-hidden="true" />;
}
