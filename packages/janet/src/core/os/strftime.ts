import { panic } from "../../vm/janet-error.ts";
import type { Parts } from "./time.ts";

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** C's `strftime` in the C locale. @throws JanetError for a conversion that it does not have */
export function strftime(format: string, parts: Parts): string {
  const known = "aAbBcCdDeFgGhHIjmMnprRStTuUVwWxXyYzZ%";
  let text = "";
  for (let at = 0; at < format.length; at++) {
    const char = format[at] as string;
    if (char !== "%") {
      text += char;
      continue;
    }
    at++;
    let modifier = "";
    if (format[at] === "E" || format[at] === "O") modifier = format[at++] as string;
    const conversion = format[at] ?? "";
    const allowed = modifier === "E" ? "cCxXyY" : modifier === "O" ? "deHImMSuUVwWy" : known;
    if (conversion === "" || !allowed.includes(conversion))
      panic(`invalid conversion specifier '%${modifier}${conversion}'`);
    text += convert(conversion, parts);
  }
  return text;
}

function convert(conversion: string, parts: Parts): string {
  const all = (format: string) => strftime(format, parts);
  const { year, month, day, hour, minute, second, weekDay, yearDay } = parts;
  switch (conversion) {
    case "a":
      return (days[weekDay] as string).slice(0, 3);
    case "A":
      return days[weekDay] as string;
    case "b":
    case "h":
      return (months[month] as string).slice(0, 3);
    case "B":
      return months[month] as string;
    case "c":
      return all("%a %b %e %H:%M:%S %Y");
    case "C":
      return pad(Math.floor(year / 100));
    case "d":
      return pad(day);
    case "D":
    case "x":
      return all("%m/%d/%y");
    case "e":
      return String(day).padStart(2, " ");
    case "F":
      return all("%Y-%m-%d");
    case "g":
      return pad(isoWeek(parts).year % 100);
    case "G":
      return String(isoWeek(parts).year);
    case "H":
      return pad(hour);
    case "I":
      return pad(hour % 12 || 12);
    case "j":
      return pad(yearDay + 1, 3);
    case "m":
      return pad(month + 1);
    case "M":
      return pad(minute);
    case "n":
      return "\n";
    case "p":
      return hour < 12 ? "AM" : "PM";
    case "r":
      return all("%I:%M:%S %p");
    case "R":
      return all("%H:%M");
    case "S":
      return pad(second);
    case "t":
      return "\t";
    case "T":
    case "X":
      return all("%H:%M:%S");
    case "u":
      return String(weekDay || 7);
    case "U":
      return pad(Math.floor((yearDay + 7 - weekDay) / 7));
    case "V":
      return pad(isoWeek(parts).week);
    case "w":
      return String(weekDay);
    case "W":
      return pad(Math.floor((yearDay + 7 - ((weekDay + 6) % 7)) / 7));
    case "y":
      return pad(((year % 100) + 100) % 100);
    case "Y":
      return String(year);
    case "z": {
      const minutes = Math.abs(parts.offset);
      return `${parts.offset < 0 ? "-" : "+"}${pad(Math.floor(minutes / 60))}${pad(minutes % 60)}`;
    }
    case "Z":
      return parts.zone;
    default:
      return "%";
  }
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, "0");
}

/** The week of ISO 8601 and the year to which it belongs. */
function isoWeek({ year, yearDay, weekDay }: Parts): { year: number; week: number } {
  const week = Math.floor((yearDay - ((weekDay + 6) % 7) + 10) / 7);
  if (week < 1) return { year: year - 1, week: weeksIn(year - 1) };
  if (week > weeksIn(year)) return { year: year + 1, week: 1 };
  return { year, week };
}

function weeksIn(year: number): number {
  const first = new Date(Date.UTC(year, 0, 1)).getUTCDay();
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return first === 4 || (leap && first === 3) ? 53 : 52;
}
