import type { TFunction } from "i18next";
import type { Breakpoint, Pause } from "../../../contract/pauses/pauses.ts";

/** Says names of plugins and events as people read them. */
interface Words {
  t: TFunction;
  nameOf(key: string): string;
}

/** What a turn stands before. */
export function pauseWords({ where, title, plugin }: Pause, { t, nameOf }: Words): string {
  return t(`pauses.at.${where}`, {
    title: where === "hook" ? eventWords(title) : title,
    plugin: plugin === null ? "" : nameOf(plugin),
  });
}

/** Where a breakpoint stops, with its filters. */
export function breakpointWords(point: Breakpoint, { t, nameOf }: Words): string {
  const { where, tool, plugin, event } = point;
  const what =
    where === "hook"
      ? event === null
        ? t("breakpoints.every.event")
        : eventWords(event)
      : (tool ?? t("breakpoints.every.tool"));
  const says = t(`breakpoints.says.${where}`, { what });
  return plugin === null ? says : `${says} ${t("breakpoints.ofPlugin", { plugin: nameOf(plugin) })}`;
}

/** A breakpoint's own name, or where it stops. */
export function breakpointName(point: Breakpoint, words: Words): string {
  return point.name === "" ? breakpointWords(point, words) : point.name;
}

export function eventWords(event: string): string {
  return event.replace(/@v\d+$/, "");
}
