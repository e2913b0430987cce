import type { Registrar } from "../registrar.ts";
import { installDictionaries } from "./dictionaries.ts";
import { installGrouping } from "./grouping.ts";
import { installMapping } from "./mapping.ts";
import { installReducing } from "./reducing.ts";
import { installSearching } from "./searching.ts";
import { installSlices } from "./slices.ts";
import { installSorting } from "./sorting.ts";
import { installWalking } from "./walking.ts";

/** Functions over collections. */
export function install(core: Registrar): void {
  installMapping(core);
  installSearching(core);
  installReducing(core);
  installGrouping(core);
  installSlices(core);
  installSorting(core);
  installDictionaries(core);
  installWalking(core);
}
