import { useTranslation } from "react-i18next";
import { Chip } from "../../../ui/controls/chip.tsx";
import { ChipGroup, ChipRow } from "../../../ui/controls/chip-row.tsx";
import { SearchField } from "../../../ui/controls/search-field.tsx";
import type { Filter } from "./rows/filter.ts";
import { type RowGroup, rowGroups } from "./rows/rows.ts";

interface FiltersProps {
  filter: Filter;
  onFilter(filter: Filter): void;
  /** How many rows there are of each kind, and with problems. */
  counts: Partial<Record<RowGroup | "problems", number>>;
  /** Keys of the plugins that had to do with the turn. */
  owners: string[];
  nameOf(key: string): string;
}

/** What of the turn is shown: words, a plugin, kinds, and problems alone. */
export function Filters({ filter, onFilter, counts, owners, nameOf }: FiltersProps) {
  const { t } = useTranslation();
  const { text, owner, groups, problems } = filter;
  const toggle = (group: RowGroup) => {
    const next = new Set(groups);
    if (!next.delete(group)) next.add(group);
    onFilter({ ...filter, groups: next });
  };
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 pb-3">
      <SearchField
        className="w-52"
        value={text}
        label={t("timeline.find")}
        onChange={(next) => onFilter({ ...filter, text: next })}
      />
      {owners.length > 0 && (
        <select
          className="field h-8 w-36 py-0 text-xs"
          aria-label={t("timeline.ofPlugin")}
          value={owner ?? ""}
          onChange={({ target }) => onFilter({ ...filter, owner: target.value || null })}
        >
          <option value="">{t("timeline.anyPlugin")}</option>
          {owners.map((key) => (
            <option key={key} value={key}>
              {nameOf(key)}
            </option>
          ))}
        </select>
      )}
      <Chip
        on={problems}
        count={counts.problems ?? 0}
        onPress={() => onFilter({ ...filter, problems: !problems })}
      >
        {t("timeline.problems")}
      </Chip>
      <ChipRow label={t("timeline.filter")}>
        <ChipGroup>
          {rowGroups
            .filter((group) => group !== "problem" && (counts[group] ?? 0) > 0)
            .map((group) => (
              <Chip
                key={group}
                on={groups.has(group)}
                count={counts[group] ?? 0}
                onPress={() => toggle(group)}
              >
                {t(`timeline.group.${group}`)}
              </Chip>
            ))}
        </ChipGroup>
      </ChipRow>
    </div>
  );
}
