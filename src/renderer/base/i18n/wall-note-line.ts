import type { TFunction } from "i18next";
import type { WallNote } from "../../../contract/index.ts";

/** What can be said of this computer's walls, as a sentence of the screen's language. */
export function wallNoteLine({ code, name = "", reason = "" }: WallNote, t: TFunction): string {
  return t(`walls.note.${code}`, { name, reason });
}
