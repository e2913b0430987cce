import { useTranslation } from "react-i18next";
import { type Filter, useCounts, useKinds } from "../../model/filters.ts";
import type { StateGroup } from "../../model/health.ts";
import { RuntimeName } from "../../ui/badge.tsx";
import { Chip } from "../../ui/controls/chip.tsx";
import { ChipGroup, ChipRow } from "../../ui/controls/chip-row.tsx";

interface FilterBarProps {
  agentId: string;
  filter: Filter;
  onChange(filter: Filter): void;
}

const groups: StateGroup[] = ["running", "needs", "off"];

export function FilterBar({ agentId, filter, onChange }: FilterBarProps) {
  const { t } = useTranslation();
  const counts = useCounts(agentId);
  const kinds = useKinds();
  const everything = !filter.state && !filter.capability && !filter.runtime;

  return (
    <ChipRow label={t("filter.label")}>
      <ChipGroup>
        <Chip
          on={everything}
          onPress={() => onChange({ ...filter, state: null, capability: null, runtime: null })}
          count={counts.all}
        >
          {t("filter.all")}
        </Chip>
        {groups.map((group) => (
          <Chip
            key={group}
            on={filter.state === group}
            onPress={() => onChange({ ...filter, state: filter.state === group ? null : group })}
            count={counts[group]}
          >
            {t(`filter.${group}`)}
          </Chip>
        ))}
      </ChipGroup>
      <ChipGroup>
        {kinds.capabilities.map((kind) => (
          <Chip
            key={kind}
            on={filter.capability === kind}
            onPress={() => onChange({ ...filter, capability: filter.capability === kind ? null : kind })}
          >
            {t(`filter.capability.${kind}`)}
          </Chip>
        ))}
      </ChipGroup>
      {kinds.runtimes.length > 1 && (
        <ChipGroup>
          {kinds.runtimes.map((runtime) => (
            <Chip
              key={runtime}
              on={filter.runtime === runtime}
              onPress={() => onChange({ ...filter, runtime: filter.runtime === runtime ? null : runtime })}
            >
              <RuntimeName runtime={runtime} />
            </Chip>
          ))}
        </ChipGroup>
      )}
    </ChipRow>
  );
}
