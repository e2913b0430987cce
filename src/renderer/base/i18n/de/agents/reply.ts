import type { replyStrings as en } from "../../en/agents/reply.ts";

export const replyStrings: Record<keyof typeof en, string> = {
  "reply.decline": "Ablehnen",
  "reply.agree": "Zustimmen",
  "reply.answerAnyway": "Trotzdem antworten",
  "reply.noSecrets":
    "Plugins dürfen hier nicht nach Geheimnissen fragen. Schlüssel und Passwörter gehören in die Einstellungen des Plugins, wo sie im Tresor liegen.",
  "reply.wrong": "Etwas im Formular passt noch nicht",
  "reply.open": "Im Browser öffnen",
  "reply.openAgain": "Noch einmal öffnen",
  "reply.finished": "Ich bin fertig",
  "reply.beforeOpening":
    "Die Seite öffnet sich in Ihrem Browser. Was Sie dort eingeben, geht an {{host}}; Patchbay sieht es nicht.",
  "reply.afterOpening": "Sagen Sie hier, wenn Sie auf {{host}} fertig sind; dann macht das Plugin weiter.",
  "reply.fault.too_short": "Mindestens {{limit}} Zeichen",
  "reply.fault.too_long": "Höchstens {{limit}} Zeichen",
  "reply.fault.too_small": "Mindestens {{limit}}",
  "reply.fault.too_large": "Höchstens {{limit}}",
  "reply.fault.too_few_one": "Wählen Sie mindestens eines",
  "reply.fault.too_few_other": "Wählen Sie mindestens {{count}}",
  "reply.fault.too_many_one": "Wählen Sie höchstens eines",
  "reply.fault.too_many_other": "Wählen Sie höchstens {{count}}",
  "reply.fault.wrong_type": "Muss eine Zahl sein",
  "reply.fault.not_whole": "Muss eine ganze Zahl sein",
  "reply.fault.not_listed": "Wählen Sie einen der angebotenen Werte",
  "reply.fault.unknown": "Dieses Feld hat das Formular nicht",
  "detail.declined": "abgelehnt",
  "detail.agreed": "zugestimmt",
};
