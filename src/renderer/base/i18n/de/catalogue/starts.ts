import type { startsStrings as en } from "../../en/catalogue/starts.ts";

export const startsStrings: Record<keyof typeof en, string> = {
  "starts.program": "Wie es gestartet wird",
  "starts.address": "Wo es erreicht wird",
  "starts.copy": "Kopieren",
  "starts.variables": "Es bekommt diese Variablen:",
  "starts.headers": "Diese Kopfzeilen werden ihm geschickt:",
  "starts.leaves": "Was Agenten ihm schicken, verlässt diesen Computer, zu der Adresse, die Sie eingeben.",
  "starts.leavesTo": "Was Agenten ihm schicken, verlässt diesen Computer: {{host}}.",
  "starts.staysHere": "Was Agenten ihm schicken, geht an ein Programm auf diesem Computer: {{host}}.",
  "starts.missing":
    "Es braucht {{program}}, das auf diesem Computer fehlt. Installieren Sie zuerst {{program}}, sonst kann es nicht starten.",
  "starts.looked": "Gesucht wurde in",
  "starts.fetches": "Beim ersten Start wird es vielleicht heruntergeladen, was zwei Minuten dauern kann.",
  "starts.fetching": "Es startet.",
  "starts.newest":
    "Es nennt keine genaue Version, und keine ließ sich feststellen: Bei jedem Start nimmt es, was gerade das Neueste ist.",
  "starts.risk.administrator": "Es läuft als Verwalter dieses Computers.",
  "starts.risk.removes": "Es löscht Dateien.",
  "starts.risk.loads": "Es führt aus, was es aus dem Netzwerk lädt.",
  "starts.risk.mounts": "Es gibt einem Container Ihren persönlichen Ordner oder die ganze Platte.",
  "starts.risk.privileged": "Es gibt einem Container alle Rechte über diesen Computer.",
  "starts.openSecrets": "In seiner Befehlszeile können andere Programme dieses Computers lesen: {{names}}.",
  "starts.says.title": "Was es von sich sagt",
  "starts.says.name": "Name",
  "starts.says.protocol": "Protokoll",
  "starts.says.modern": "ohne Handschlag",
  "starts.says.legacy": "mit Handschlag",
  "starts.says.prompts": "Vorlagen",
  "starts.says.instructions": "Es sagt Agenten:",
};
