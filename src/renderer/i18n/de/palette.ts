import type { paletteStrings as en } from "../en/palette.ts";

export const paletteStrings: Record<keyof typeof en, string> = {
  "palette.title": "Überallhin gehen, alles tun",
  "palette.placeholder": "Bildschirme, Plugins, Agenten und Aktionen suchen",
  "palette.results": "Treffer",
  "palette.nothing": "Nichts passt zu „{{query}}“.",
  "palette.recent": "Zuletzt",
  "palette.hint": "↑ ↓ wählen · Eingabetaste ausführen · Esc schließen",
  "palette.kind.screen": "Bildschirm",
  "palette.kind.plugin": "Plugin",
  "palette.kind.agent": "Agent",
  "palette.kind.action": "Aktion",
  "palette.kind.link": "Link",
  "palette.pluginTab": "{{plugin}}: {{tab}}",
  "palette.settings": "Einstellungen: {{section}}",
  "palette.agent": "Agent {{agent}}",
  "palette.editAgent": "{{agent}} bearbeiten",
  "palette.restart": "{{plugin}} neu starten",
  "palette.theme": "Darstellung: {{theme}}",
  "palette.language": "Sprache: {{language}}",
  "palette.showConversation": "Unterhaltung zeigen",
  "palette.followLink": "{{link}} folgen",
};
