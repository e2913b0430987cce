import type { placeStrings as en } from "../../en/catalogue/places.ts";

export const placeStrings: Record<keyof typeof en, string> = {
  "places.file": "Datei wählen…",
  "places.folder": "Ordner wählen…",
  "places.fileTitle": "Datei wählen",
  "places.folderTitle": "Ordner wählen",
  "places.take": "Diesen Ordner wählen",
  "places.up": "Einen Ordner höher",
  "places.home": "Meinen eigenen Ordner zeigen",
  "places.entries": "Was in diesem Ordner liegt",
  "places.empty": "In diesem Ordner liegt nichts.",
  "places.cut": "Es gibt mehr, als hier aufgeführt werden kann.",
};
