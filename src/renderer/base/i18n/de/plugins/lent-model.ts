import type { lentModelStrings as en } from "../../en/plugins/lent-model.ts";

export const lentModelStrings: Record<keyof typeof en, string> = {
  "permissions.model": "Das Modell des Agenten",
  "permissions.model.label": "Darf das Modell des Agenten fragen",
  "permissions.model.text":
    "Mitten in einem Aufruf kann es dann das Modell etwas beantworten lassen, auf Ihre Kosten. Jede Anfrage wird Ihnen gezeigt, bevor sie gesendet wird, außer Sie erlauben sie für eine Unterhaltung. Das Modell bekommt dabei keine Werkzeuge und nichts aus Ihren Unterhaltungen.",
  "permissions.step.model": "das Modell des Agenten fragen",
  "lent.label": "{{plugin}} und das Modell",
  "lent.question": "Darf {{plugin}} {{model}} das fragen?",
  "lent.asks": "Patchbay fragt",
  "lent.sent": "Was gesendet wird",
  "lent.system": "Systemprompt",
  "lent.role.user": "Nachricht",
  "lent.role.assistant": "Frühere Antwort",
  "lent.pictures_one": "Mit {{count}} Bild",
  "lent.pictures_other": "Mit {{count}} Bildern",
  "lent.most": "Die Antwort hat höchstens {{tokens}} Tokens und geht an das Plugin.",
  "lent.consequences": "Das Modell bekommt dafür keine Werkzeuge und nichts aus dieser Unterhaltung.",
  "lent.no": "Nicht erlauben",
  "lent.once": "Einmal",
  "lent.session": "Diese Unterhaltung",
  "timeline.lent": "Modell für das Plugin gefragt",
  "detail.lent": "{{plugin}} hat {{model}} etwas beantworten lassen.",
  "detail.lent.request": "Gefragt",
  "detail.lent.response": "Geantwortet",
};
