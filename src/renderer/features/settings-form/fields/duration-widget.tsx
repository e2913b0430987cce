import type { WidgetProps } from "@rjsf/utils";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Duration, isoMs, readable, type TimeUnit, timeUnits, toIso } from "../values/duration.ts";
import { controlProps } from "./widget-props.ts";

interface DurationWidgetProps extends WidgetProps {
  /** The unit that the number is stored in; null when it is stored as text (`PT30S`). */
  stored: TimeUnit | null;
}

/** A length of time as a number and its unit. */
export function DurationWidget(props: DurationWidgetProps) {
  const { t } = useTranslation();
  const { value, stored, onChange, label, options } = props;
  const least = stored ?? "s";
  const [unit, setUnit] = useState<TimeUnit>(() => durationOf(value, stored)?.unit ?? least);
  const shown = inUnit(value, stored, unit);
  const units = (Object.keys(timeUnits) as TimeUnit[]).filter((each) => timeUnits[each] >= timeUnits[least]);
  const change = (next: Duration | null) => {
    if (!next) return onChange(options.emptyValue);
    const inStored = stored ? tidy((next.amount * timeUnits[next.unit]) / timeUnits[stored]) : toIso(next);
    onChange(inStored);
  };
  return (
    <div className="flex max-w-80 gap-2">
      <input
        {...controlProps(props)}
        type="number"
        min={0}
        step="any"
        className="field figure h-8 min-w-0 flex-1"
        value={shown ?? ""}
        autoComplete="off"
        onChange={({ target }) =>
          change(target.value === "" ? null : { amount: Math.abs(Number(target.value)), unit })
        }
        onBlur={() => props.onBlur(props.id, value)}
      />
      <select
        className="field h-8 w-32"
        aria-label={t("field.unitOf", { name: label })}
        disabled={props.disabled || props.readonly}
        value={unit}
        onChange={({ target }) => {
          const next = units.find((each) => each === target.value) ?? least;
          setUnit(next);
          if (shown !== null) change({ amount: shown, unit: next });
        }}
      >
        {units.map((each) => (
          <option key={each} value={each}>
            {t(`unit.${each}`)}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Null when there is no value, or one without a fixed length, such as a month. */
export function durationOf(value: unknown, stored: TimeUnit | null): Duration | null {
  const ms = msOf(value, stored);
  return ms === null ? null : readable(ms, stored ?? "s");
}

function msOf(value: unknown, stored: TimeUnit | null): number | null {
  if (stored) return typeof value === "number" ? value * timeUnits[stored] : null;
  return typeof value === "string" ? isoMs(value) : null;
}

function inUnit(value: unknown, stored: TimeUnit | null, unit: TimeUnit): number | null {
  const ms = msOf(value, stored);
  return ms === null ? null : tidy(ms / timeUnits[unit]);
}

/** Rounds away the small errors of a division of floating-point numbers. */
function tidy(amount: number): number {
  return Number(amount.toPrecision(12));
}
