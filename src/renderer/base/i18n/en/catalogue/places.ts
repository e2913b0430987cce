export const placeStrings = {
  "places.file": "Choose file…",
  "places.folder": "Choose folder…",
  "places.fileTitle": "Choose a file",
  "places.folderTitle": "Choose a folder",
  "places.take": "Choose this folder",
  "places.up": "One folder up",
  "places.home": "Show my home folder",
  "places.entries": "What lies in this folder",
  "places.empty": "There is nothing in this folder.",
  "places.cut": "There is more than can be listed here.",
} as const;
