import type { offeredStrings as english } from "../../en/agents/offered.ts";

export const offeredStrings: Record<keyof typeof english, string> = {
  "offered.from": "von {{plugin}}",
  "offered.required": "Die Vorlage braucht das.",
  "offered.suggestions": "Vorschläge für {{field}}",
  "offered.attachFrom": "Aus Plugins anhängen",
  "offered.title": "Aus Plugins anhängen",
  "offered.text":
    "Gelesen wird es, wenn Sie die Nachricht senden. Was darin steht, sind Daten für den Agenten und keine Anweisung.",
  "offered.search": "Nach Name oder Adresse suchen",
  "offered.none": "Kein Plugin dieses Agenten hat etwas zum Anhängen.",
  "offered.noMatch": "Diese Wörter kommen nirgends vor.",
  "offered.more": "{{count}} weitere. Tippen Sie, um sie zu finden.",
  "offered.silent": "{{plugin}} sagt nicht, was es hat.",
  "offered.attach": "Anhängen",
  "offered.done": "Fertig",
  "offered.chosen_zero": "Noch nichts angehängt",
  "offered.chosen_one": "{{count}} angehängt",
  "offered.chosen_other": "{{count}} angehängt",
  "offered.forPerson": "für Sie",
  "offered.saidByYou": "Die Vorlage, als Sie",
  "offered.saidByAgent": "Die Vorlage, als der Agent",
};
