import { PatchbayError } from "../../../contract/index.ts";
import { isNamesake, mixedWord, namesakeWarning, ownNames } from "../../../contract/shown/look-alikes.ts";
import type { Inspection } from "../../runtimes/runtime.ts";

/**
 * Refuses a package that disguises itself as something that comes with Patchbay. One that merely has such a name gets a
 * warning that tells it from the other by its package.
 *
 * @throws PatchbayError MANIFEST_INVALID with the field in `details.problems`
 */
export function checkLooks(inspection: Inspection): Inspection {
  const { displayName, manifestKey, warnings } = inspection;
  const name = ownNames.find(displayName);
  const key = ownNames.find(manifestKey);
  if (name?.likeness === "disguised") {
    throw disguised("displayName", `“${displayName}” is made to look like “${name.known}”`);
  }
  if (key?.likeness === "disguised") {
    throw disguised("key", `“${manifestKey}” is made to look like “${key.known.toLowerCase()}”`);
  }
  const mixed = mixedWord(displayName);
  if (mixed !== undefined) {
    throw disguised(
      "displayName",
      `“${displayName}” mixes letters of different scripts in one word (“${mixed}”)`,
    );
  }
  if (!isNamesake(inspection)) return inspection;
  return { ...inspection, warnings: [...warnings, namesakeWarning(inspection)] };
}

function disguised(field: string, what: string): PatchbayError {
  const message = `The \`${field}\` ${what}, so the package was refused.`;
  return new PatchbayError("MANIFEST_INVALID", message, {
    help: "Do not install it unless you know its author. An honest author can choose another name.",
    details: { problems: [{ field, message }] },
  });
}
