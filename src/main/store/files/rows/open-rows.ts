import type { RowStore } from "../../documents.ts";
import type { Layout } from "../layout.ts";
import { BareFile } from "./bare-file.ts";
import { documentForm, listForm, recordForm } from "./forms.ts";
import { ManyFiles } from "./many-files.ts";
import { type FileRowsOptions, OneFile } from "./one-file.ts";

/** Opens the files of a collection. @throws PatchbayError STATE_FILE_NEWER, STATE_FILE_DAMAGED, READ_FAILED */
export function openFileRows<T>(layout: Layout, options: FileRowsOptions<T>, agents: string): RowStore<T> {
  switch (layout.kind) {
    case "one":
      return new OneFile(layout.file, options, documentForm(options.collection.schema));
    case "list":
      return new OneFile(
        layout.file,
        options,
        listForm(layout.field, layout.idOf, options.collection.schema),
      );
    case "record":
      return new OneFile(layout.file, options, recordForm(options.collection.schema));
    case "files":
      return new ManyFiles(layout.fileOf, options, agents);
    case "bare":
      return new BareFile(layout, options.collection, options.onNotice);
  }
}
