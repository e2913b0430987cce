import type { debugPageStrings as en } from "../../en/debug/page.ts";

export const debugPageStrings: Record<keyof typeof en, string> = {
  "debug.title": "Fehlersuche",
  "debug.tabs": "Was gezeigt wird",
  "debug.tab.tree": "Baum",
};
