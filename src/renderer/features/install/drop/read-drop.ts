import { mostUploadBytes, packageFileName } from "../../../../contract/uploads.ts";

export type RefusedDrop = "folder" | "notPackage" | "tooLarge" | "tooMany" | "nothing";

/** What was dropped on the window, as far as the browser tells a page. */
export type Dropped =
  | { kind: "file"; file: File }
  | { kind: "link"; spec: string }
  | { kind: "refused"; why: RefusedDrop; name: string; count: number };

/** Reads the contents of a drop. Call it while the drop is being handled: they are gone afterwards. */
export function readDrop(transfer: DataTransfer): Dropped {
  const files = [...transfer.items].filter((item) => item.kind === "file");
  const [first] = files;
  if (!first) return readLink(transfer);
  const refused = (why: RefusedDrop, name = ""): Dropped => ({
    kind: "refused",
    why,
    name,
    count: files.length,
  });
  if (files.length > 1) return refused("tooMany");
  const place = first.webkitGetAsEntry();
  if (place?.isDirectory) return refused("folder", place.name);
  const file = first.getAsFile();
  if (!file) return refused("nothing");
  if (!packageFileName.test(file.name)) return refused("notPackage", file.name);
  if (file.size > mostUploadBytes) return refused("tooLarge", file.name);
  return { kind: "file", file };
}

/** A list of addresses (RFC 2483: lines with # are comments), else plain text. */
function readLink(transfer: DataTransfer): Dropped {
  const lines = [transfer.getData("text/uri-list"), transfer.getData("text/plain")]
    .flatMap((text) => text.split(/\r?\n/))
    .map((line) => line.trim());
  const spec = lines.find((line) => line !== "" && !line.startsWith("#"));
  if (spec === undefined) return { kind: "refused", why: "nothing", name: "", count: 0 };
  return { kind: "link", spec: spec.slice(0, 2_000) };
}
