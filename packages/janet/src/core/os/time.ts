import { show } from "../../print/describe.ts";
import { Kw, kw } from "../../values/names.ts";
import { Tuple } from "../../values/sequences.ts";
import { type Dictionary, structOf } from "../../values/tables.ts";
import { truthy, type Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import { badSlot, dictionaryAt, numberAt } from "../arguments.ts";
import { millisOf } from "../ev/wait.ts";
import type { Registrar } from "../registrar.ts";
import { cstringAt } from "./access.ts";
import { strftime } from "./strftime.ts";

/** `os/time`, `os/clock`, `os/date`, `os/mktime`, `os/strftime`, `os/sleep`. */
export function install(core: Registrar): void {
  core.cfun("os/time", 0, 0, "(os/time)", "The time now in whole seconds since 1970.", () =>
    Math.floor(Date.now() / 1_000),
  );
  core.cfun(
    "os/clock",
    0,
    2,
    "(os/clock &opt source format)",
    "Reads a clock: :realtime, :monotonic or :cputime, as :double seconds, :int seconds or a :tuple of seconds and nanoseconds.",
    clock,
  );
  core.cfun(
    "os/date",
    0,
    2,
    "(os/date &opt time local)",
    "Splits a time in seconds, now unless given, into a struct of its parts, in UTC or in local time.",
    (args) => {
      const parts = partsOf(timeAt(args, 0), truthy(args[1] ?? null));
      return structOf([
        [kw("seconds"), parts.second],
        [kw("minutes"), parts.minute],
        [kw("hours"), parts.hour],
        [kw("month-day"), parts.day - 1],
        [kw("month"), parts.month],
        [kw("year"), parts.year],
        [kw("week-day"), parts.weekDay],
        [kw("year-day"), parts.yearDay],
        [kw("dst"), parts.dst],
      ]);
    },
  );
  core.cfun(
    "os/mktime",
    1,
    2,
    "(os/mktime date-struct &opt local)",
    "The time in seconds of a struct as os/date gives it, read as UTC or as local time.",
    (args) => {
      const date = dictionaryAt(args, 0);
      const [year, month, day] = [part(date, "year"), part(date, "month"), part(date, "month-day")];
      const [hour, minute, second] = [part(date, "hours"), part(date, "minutes"), part(date, "seconds")];
      const moment = new Date(0);
      if (truthy(args[1] ?? null)) {
        moment.setFullYear(year, month, day + 1);
        moment.setHours(hour, minute, second, 0);
      } else {
        moment.setUTCFullYear(year, month, day + 1);
        moment.setUTCHours(hour, minute, second, 0);
      }
      const time = moment.getTime();
      return Number.isNaN(time) ? panic("Value too large for defined data type") : time / 1_000;
    },
  );
  core.cfun(
    "os/strftime",
    1,
    3,
    "(os/strftime fmt &opt time local)",
    "Writes a time in seconds, now unless given, by the conversions of C89's strftime, in UTC or in local time.",
    (args) => {
      const format = cstringAt(args, 0);
      return strftime(format, partsOf(timeAt(args, 1), truthy(args[2] ?? null)));
    },
  );
  core.cgen(
    "os/sleep",
    1,
    1,
    "(os/sleep n)",
    "Waits for this many seconds. Other tasks go on meanwhile.",
    function* (args) {
      const seconds = numberAt(args, 0);
      if (seconds < 0) panic("invalid argument to sleep");
      yield {
        kind: "wait",
        begin(resolve) {
          const timer = setTimeout(() => resolve(null), millisOf(seconds));
          return () => clearTimeout(timer);
        },
      };
      return null;
    },
  );
}

/** A moment in its parts; `month` from 0, `day` from 1. */
export interface Parts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  weekDay: number;
  yearDay: number;
  dst: boolean;
  zone: string;
  /** Seconds since 1970. */
  time: number;
}

/** Seconds from 1970 to the last day that JavaScript can name. */
const LATEST = 8.64e12 - 86_400;

function partsOf(time: number, local: boolean): Parts {
  if (Math.abs(time) > LATEST) panic("Value too large for defined data type");
  const offset = local ? -new Date(time * 1_000).getTimezoneOffset() : 0;
  const moment = new Date((time + offset * 60) * 1_000);
  const year = moment.getUTCFullYear();
  const start = new Date(0);
  start.setUTCFullYear(year, 0, 1);
  return {
    year,
    month: moment.getUTCMonth(),
    day: moment.getUTCDate(),
    hour: moment.getUTCHours(),
    minute: moment.getUTCMinutes(),
    second: moment.getUTCSeconds(),
    weekDay: moment.getUTCDay(),
    yearDay: Math.floor((moment.getTime() - start.getTime()) / 86_400_000),
    dst: local && offset > standardOffset(year),
    zone: local ? zoneName(time) : "GMT",
    time,
  };
}

function standardOffset(year: number): number {
  return -Math.max(new Date(year, 0, 1).getTimezoneOffset(), new Date(year, 6, 1).getTimezoneOffset());
}

function zoneName(time: number): string {
  const parts = new Intl.DateTimeFormat("en-US", { timeZoneName: "short" }).formatToParts(time * 1_000);
  return parts.find((part) => part.type === "timeZoneName")?.value ?? "";
}

/** Whole seconds; now when the argument is absent or nil. */
function timeAt(args: readonly Value[], at: number): number {
  const value = args[at] ?? null;
  if (value === null) return Math.floor(Date.now() / 1_000);
  if (typeof value !== "number" || !Number.isSafeInteger(value))
    return badSlot(args, at, "64 bit signed integer");
  return value;
}

function part(date: Dictionary, name: string): number {
  const value = date.get(kw(name));
  if (value === null) return 0;
  if (typeof value !== "number" || !Number.isSafeInteger(value))
    panic(`bad slot #${name}, expected 64 bit signed integer, got ${show(value)}`);
  return value;
}

function clock(args: Value[]): Value {
  const source = keywordOr(args, 0, "realtime");
  const format = keywordOr(args, 1, "double");
  let nanoseconds: bigint;
  if (source === "realtime")
    nanoseconds = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1_000)) * 1_000n;
  else if (source === "monotonic") nanoseconds = process.hrtime.bigint();
  else if (source === "cputime") {
    const { user, system } = process.cpuUsage();
    nanoseconds = BigInt(user + system) * 1_000n;
  } else return panic(`expected :realtime, :monotonic, or :cputime, got ${show(args[0] ?? null)}`);
  const seconds = Number(nanoseconds / 1_000_000_000n);
  const rest = Number(nanoseconds % 1_000_000_000n);
  if (format === "double") return seconds + rest / 1e9;
  if (format === "int") return seconds;
  if (format === "tuple") return new Tuple([seconds, rest]);
  return panic(`expected :double, :int, or :tuple, got ${show(args[1] ?? null)}`);
}

function keywordOr(args: readonly Value[], at: number, absent: string): string {
  const value = args[at] ?? null;
  if (value === null) return absent;
  return value instanceof Kw ? value.name : badSlot(args, at, "keyword");
}
