import type { Translation } from "../../../contract/shown/plugin-words.ts";

let kit: Translation = {};

/** Takes the sentences of the toolkit for channels into use; called when the catalogue of a language has been loaded. */
export function takeKitWords(translation: Translation): void {
  kit = translation;
}

export function kitWords(): Translation {
  return kit;
}
