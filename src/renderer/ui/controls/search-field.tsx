import { Search, X } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../class-names.ts";

interface SearchFieldProps {
  value: string;
  onChange(value: string): void;
  label: string;
  ref?: Ref<HTMLInputElement>;
  className?: string;
  /** At the end of the field while nothing is typed. */
  whenEmpty?: ReactNode;
}

/** Words to look for, with a way to take them back. */
export function SearchField({ value, onChange, label, ref, className, whenEmpty }: SearchFieldProps) {
  const { t } = useTranslation();
  return (
    <div className={cx("relative", className)}>
      <Search
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-hint"
        aria-hidden="true"
      />
      <input
        ref={ref}
        type="search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder={label}
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        className="field h-8 pr-9 pl-9 [&::-webkit-search-cancel-button]:hidden"
      />
      {value === "" && whenEmpty && (
        <div className="absolute top-1/2 right-1.5 -translate-y-1/2">{whenEmpty}</div>
      )}
      {value !== "" && (
        <button
          type="button"
          aria-label={t("common.clear")}
          onClick={() => onChange("")}
          className="absolute top-1/2 right-1.5 grid size-6 -translate-y-1/2 place-items-center rounded-sm text-mute hover:text-ink"
        >
          <X className="size-3.5" aria-hidden="true" />
        </button>
      )}
    </div>
  );
}
