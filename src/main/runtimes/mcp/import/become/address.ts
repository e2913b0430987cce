import type { Part } from "../../server/server-file.ts";
import type { HandedOver } from "./handed-over.ts";
import { isSecret, looksSecret } from "./secrets.ts";

/** The address of a server as a part: secrets in its path and its query are settings, and never shown. */
export function addressAsPart(url: string, over: HandedOver): Part {
  const [, origin = url, path = "", query = ""] =
    /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)([^?#]*)(\?[^#]*)?/i.exec(url) ?? [];
  const parts: Part[] = [over.part(origin, "host")];
  for (const segment of path.split(/(?=\/)/)) {
    const text = segment.replace(/^\//, "");
    const isKey = !over.hasVariables(text) && looksSecret(text);
    if (isKey) parts.push(segment.slice(0, segment.length - text.length), over.secret("ADDRESS_KEY", text));
    else if (segment !== "") parts.push(over.part(segment, "path"));
  }
  const fields = query
    .slice(1)
    .split("&")
    .filter((field) => field !== "");
  for (const [index, field] of fields.entries()) {
    const at = field.indexOf("=");
    const [name, value] = at < 0 ? [field, ""] : [field.slice(0, at), field.slice(at + 1)];
    parts.push(`${index === 0 ? "?" : "&"}${name}${at < 0 ? "" : "="}`);
    if (over.hasVariables(value)) parts.push(over.part(value, name));
    else if (isSecret(name, value)) parts.push(over.secret(name, value));
    else if (value !== "") parts.push(value);
  }
  return joined(parts);
}

/** Texts beside each other as one, and one part alone as itself. */
function joined(parts: readonly Part[]): Part {
  const flat = parts.flatMap((part) => (typeof part === "object" && "join" in part ? part.join : [part]));
  const merged: Part[] = [];
  for (const part of flat) {
    const last = merged.at(-1);
    if (typeof part === "string" && typeof last === "string") merged[merged.length - 1] = last + part;
    else merged.push(part);
  }
  const [only = ""] = merged;
  return merged.length <= 1 ? only : { join: merged };
}
