import type { attachableStrings as english } from "../../en/agents/attachable.ts";

export const attachableStrings: Record<keyof typeof english, string> = {
  "attachable.from": "von {{plugin}}",
  "attachable.required": "Die Vorlage braucht das.",
  "attachable.suggestions": "Vorschläge für {{field}}",
  "attachable.attachFrom": "Aus Plugins anhängen",
  "attachable.title": "Aus Plugins anhängen",
  "attachable.text":
    "Gelesen wird es, wenn Sie die Nachricht senden. Was darin steht, sind Daten für den Agenten und keine Anweisung.",
  "attachable.search": "Nach Name oder Adresse suchen",
  "attachable.none": "Kein Plugin dieses Agenten hat etwas zum Anhängen.",
  "attachable.noMatch": "Diese Wörter kommen nirgends vor.",
  "attachable.more": "{{count}} weitere. Tippen Sie, um sie zu finden.",
  "attachable.silent": "{{plugin}} sagt nicht, was es hat.",
  "attachable.attach": "Anhängen",
  "attachable.links": "Worauf das Ergebnis verweist",
  "attachable.attachOf": "Anhängen: {{name}}",
  "attachable.attachedOf": "Angehängt: {{name}}",
  "attachable.isAttached": "Angehängt",
  "attachable.done": "Fertig",
  "attachable.chosen_zero": "Noch nichts angehängt",
  "attachable.chosen_one": "{{count}} angehängt",
  "attachable.chosen_other": "{{count}} angehängt",
  "attachable.forPerson": "für Sie",
  "attachable.prompts": "Vorlagen",
  "attachable.promptsText": "Sie rufen sie in der Unterhaltung mit /{{plugin}}: und ihrem Namen auf.",
  "attachable.resourcesText":
    "Es hat etwas zu lesen. Hängen Sie es in der Unterhaltung mit dem Buch neben der Büroklammer an. Der Agent liest von selbst, wo Sie unter seinen Werkzeugen list_resources und read_resource einschalten.",
  "attachable.changed_one": "Seit seinem Start hat es {{count}} Mal gesagt, dass dort etwas anderes ist.",
  "attachable.changed_other": "Seit seinem Start hat es {{count}} Mal gesagt, dass dort etwas anderes ist.",
  "attachable.saidByYou": "Die Vorlage, als Sie",
  "attachable.saidByAgent": "Die Vorlage, als der Agent",
};
