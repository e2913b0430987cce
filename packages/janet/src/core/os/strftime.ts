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

/** The `strftime` of C89 in the C locale. @throws JanetError for a conversion that it does not have */
export function strftime(format: string, parts: Parts): string {
  let text = "";
  for (let at = 0; at < format.length; at++) {
    const char = format[at] as string;
    const conversion = format[at + 1];
    if (char !== "%" || conversion === undefined) {
      text += char;
      continue;
    }
    at++;
    text += convert(conversion, parts) ?? panic(`invalid conversion specifier '%${conversion}'`);
  }
  return text;
}

function convert(conversion: string, parts: Parts): string | undefined {
  const { year, month, day, hour, minute, second, weekDay, yearDay } = parts;
  switch (conversion) {
    case "a":
      return (days[weekDay] as string).slice(0, 3);
    case "A":
      return days[weekDay];
    case "b":
      return (months[month] as string).slice(0, 3);
    case "B":
      return months[month];
    case "c":
      return strftime(`%a %b ${String(day).padStart(2, " ")} %X %Y`, parts);
    case "d":
      return pad(day);
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
    case "p":
      return hour < 12 ? "AM" : "PM";
    case "S":
      return pad(second);
    case "U":
      return pad(Math.floor((yearDay + 7 - weekDay) / 7));
    case "w":
      return String(weekDay);
    case "W":
      return pad(Math.floor((yearDay + 7 - ((weekDay + 6) % 7)) / 7));
    case "x":
      return strftime("%m/%d/%y", parts);
    case "X":
      return strftime("%H:%M:%S", parts);
    case "y":
      return pad(((year % 100) + 100) % 100);
    case "Y":
      return String(year);
    case "Z":
      return parts.zone;
    case "%":
      return "%";
    default:
      return undefined;
  }
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, "0");
}
