import { useTranslation } from "react-i18next";
import { Chip } from "../ui/chip.tsx";
import { type Filter, useCounts, useKinds } from "./filters.ts";
import type { StateGroup } from "./health.ts";

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
    <fieldset className="flex flex-wrap items-center gap-1.5">
      <legend className="sr-only">{t("filter.label")}</legend>
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
      <span className="mx-1.5 h-4 w-px bg-line" aria-hidden="true" />
      {kinds.capabilities.map((kind) => (
        <Chip
          key={kind}
          on={filter.capability === kind}
          onPress={() => onChange({ ...filter, capability: filter.capability === kind ? null : kind })}
        >
          {t(`filter.capability.${kind}`)}
        </Chip>
      ))}
      {kinds.runtimes.length > 1 &&
        kinds.runtimes.map((runtime) => (
          <Chip
            key={runtime}
            on={filter.runtime === runtime}
            onPress={() => onChange({ ...filter, runtime: filter.runtime === runtime ? null : runtime })}
          >
            <span className="font-mono text-[11px]">{runtime}</span>
          </Chip>
        ))}
    </fieldset>
  );
}
