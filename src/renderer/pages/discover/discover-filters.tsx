import { useTranslation } from "react-i18next";
import { formatCount } from "../../base/i18n/time.ts";
import { noDiscoverFilter } from "../../features/catalogue/catalogue-index.ts";
import { discover, useDiscover } from "../../features/catalogue/discover-store.ts";
import { useHere } from "../../features/catalogue/here-store.ts";
import { sourceName } from "../../features/catalogue/source-name.ts";
import { capabilityKinds } from "../../model/filters.ts";
import { inOrder } from "../../model/runtimes.ts";
import { RuntimeName } from "../../ui/badge.tsx";
import { Chip } from "../../ui/controls/chip.tsx";
import { ChipGroup, ChipRow } from "../../ui/controls/chip-row.tsx";

/** Narrows the list by source, capability, runtime and by what is installed; only by what occurs. */
export function DiscoverFilters() {
  const { t } = useTranslation();
  const { filter, index } = useDiscover();
  const { source, runtime, capability, installed, here } = filter;
  const looked = useHere((state) => state.found?.looked.length ?? 0);
  const foundHere = useHere((state) => state.found?.plugins);
  const runtimes = here ? inOrder(new Set(foundHere?.map((plugin) => plugin.runtime))) : index.runtimes;
  const capabilities = capabilityKinds.filter((kind) => index.capabilities.includes(kind));
  const nothing = !here && source === null && runtime === null && capability === null && installed === null;
  return (
    <ChipRow label={t("discover.filters")}>
      <ChipGroup>
        <Chip on={nothing} onPress={() => discover.narrow(noDiscoverFilter)}>
          {t("discover.all")}
        </Chip>
        {index.sources.length > 1 &&
          index.sources.map(({ name, count }) => (
            <Chip
              key={name}
              on={source === name}
              onPress={() => discover.narrow({ source: source === name ? null : name, here: false })}
              count={formatCount(count)}
            >
              {sourceName(name)}
            </Chip>
          ))}
        {looked > 0 && (
          <Chip
            on={here}
            onPress={() => discover.narrow({ ...noDiscoverFilter, installed, here: !here })}
            count={formatCount(foundHere?.length ?? 0)}
          >
            {t("here.title")}
          </Chip>
        )}
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
      </ChipGroup>
      {capabilities.length > 0 && !here && (
        <ChipGroup>
          {capabilities.map((kind) => (
            <Chip
              key={kind}
              on={capability === kind}
              onPress={() => discover.narrow({ capability: capability === kind ? null : kind })}
            >
              {t(`filter.capability.${kind}`)}
            </Chip>
          ))}
        </ChipGroup>
      )}
      {runtimes.length > 1 && (
        <ChipGroup>
          {runtimes.map((each) => (
            <Chip
              key={each}
              on={runtime === each}
              onPress={() => discover.narrow({ runtime: runtime === each ? null : each })}
            >
              <RuntimeName runtime={each} />
            </Chip>
          ))}
        </ChipGroup>
      )}
    </ChipRow>
  );
}
