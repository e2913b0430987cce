/** What other features may use of `catalogue`. */
export { AdviceNote } from "./advice-note.tsx";
export { noDiscoverFilter, searchIndex } from "./catalogue-index.ts";
export { didYouMean } from "./did-you-mean.ts";
export { askCatalogues, useDiscover } from "./discover-store.ts";
export { useEntryIcon } from "./entry-icon.ts";
export { useFindInstalled } from "./installed.ts";
export { type CatalogueAnswer, useCatalogue } from "./use-catalogue.ts";
