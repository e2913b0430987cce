import { isAddLink } from "../../../../../contract/found/given-form.ts";
import { type ListedServer, listedOf } from "../clients/listed.ts";
import { asksOf } from "../clients/vscode.ts";
import { Fields } from "../text/fields.ts";
import { parseText } from "../text/parse-text.ts";
import type { Given } from "./pasted.ts";

/** The server in a link such as `cursor://anysphere.cursor-deeplink/mcp/install?name=…&config=…` or `vscode:mcp/install?{…}`. */
export function addLink(text: string): Given {
  const link = text.trim();
  const inner = /[?&]url=([^&]+)/.exec(link)?.[1];
  if (inner !== undefined && /^https:/i.test(link)) {
    const meant = decoded(inner);
    return isAddLink(meant) && !/^https:/i.test(meant) ? addLink(meant) : unreadable();
  }
  const query = /\?([\s\S]*)$/.exec(link)?.[1];
  if (query === undefined) return unreadable();
  const params = new URLSearchParams(query);
  const config = params.get("config") ?? params.get("mcp");
  const text64 = config ?? decoded(query);
  const value = fieldsOf(text64);
  if (value === null) return unreadable();
  const inputs = params.get("inputs");
  const asks = asksOf(inputs === null ? value.raw("inputs") : parsedOr(inputs));
  const named = params.get("name") ?? value.text("name");
  return { kind: "servers", servers: [serverOf(value, named ?? undefined, asks)] };
}

function serverOf(
  value: Fields,
  named: string | undefined,
  asks: NonNullable<ListedServer["asks"]>,
): ListedServer {
  // Cursor also has a whole command line in the field.
  const command = value.text("command");
  const words =
    command !== undefined && !value.has("args") && !/["']/.test(command) ? command.split(/\s+/) : null;
  const fields =
    words === null || words.length < 2
      ? value
      : new Fields({ ...Object.fromEntries(value.entries()), command: words[0], args: words.slice(1) });
  return listedOf(named ?? "server", fields, { asks });
}

function fieldsOf(text: string): Fields | null {
  for (const tried of [text, Buffer.from(text.replace(/ /g, "+"), "base64").toString("utf8")]) {
    const parsed = parseText(tried, "json");
    const fields = parsed.kind === "value" ? new Fields(parsed.value) : null;
    if (fields && fields.names.length > 0) return fields;
  }
  return null;
}

function parsedOr(text: string): unknown {
  const parsed = parseText(text, "json");
  return parsed.kind === "value" ? parsed.value : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unreadable(): Given {
  return { kind: "problem", problem: "The link holds no server that can be read." };
}
