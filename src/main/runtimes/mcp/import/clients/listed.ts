import type { FoundNote } from "../../../../../contract/found/found-server.ts";
import { Fields, isRecord } from "../text/fields.ts";

/** Something that the other program asks its person for (`${input:id}` in VS Code). */
export interface AskedThere {
  secret: boolean;
  description?: string;
  default?: string;
  choices?: string[];
  /** What it runs to find the value, where it does not ask. */
  command?: string;
}

/** As what the other program signs in at a server. */
export interface ListedClient {
  clientId?: string;
  clientSecret?: string;
  /** The port of this computer that the browser comes back to. */
  redirectPort?: number;
  scopes?: string[];
}

/** A server as another program's file lists it, before anything is made of it. */
export interface ListedServer {
  name: string;
  isOn: boolean;
  start:
    | { kind: "program"; command: string; args: string[]; env: Map<string, string>; cwd?: string }
    | {
        kind: "remote";
        url: string;
        transport: "auto" | "http" | "sse";
        headers: Map<string, string>;
        signIn: ListedClient;
      }
    /** A bundle that the other program has unpacked. */
    | { kind: "bundle"; dir: string; values: Fields }
    | { kind: "none" };
  /** `$X` without braces is a variable there. */
  bareVariables?: true;
  /** `{env:X}` and `{file:x}` are variables there. */
  curlyVariables?: true;
  asks?: ReadonlyMap<string, AskedThere>;
  /** Tools by their names: only these, or all but these. */
  tools: { only?: string[]; off?: string[] };
  notes: FoundNote[];
}

/** The servers of a record whose names are theirs, each in the form that most programs share. */
export function listedIn(servers: Fields, more: Partial<ListedServer> = {}): ListedServer[] {
  return servers
    .entries()
    .flatMap(([name, value]) => (isRecord(value) ? [listedOf(name, new Fields(value), more)] : []));
}

/** One server in the form that most programs share, with the spellings that each of them has for a field. */
export function listedOf(name: string, fields: Fields, more: Partial<ListedServer> = {}): ListedServer {
  const only = fields.texts("enabled_tools", "includeTools", "available_tools", "enabledTools");
  const off = fields.texts("disabled_tools", "excludeTools", "disabledTools");
  const isOff =
    fields.flag("disabled") === true || fields.flag("enabled") === false || fields.flag("isActive") === false;
  return {
    name,
    isOn: !isOff,
    start: startOf(fields),
    tools: { ...(only && only.length > 0 && { only }), ...(off && off.length > 0 && { off }) },
    notes: notesOf(fields),
    ...more,
  };
}

function startOf(fields: Fields): ListedServer["start"] {
  const url = fields.text("url", "serverUrl", "httpUrl", "uri");
  const list = fields.texts("command");
  const command = fields.text("command", "cmd") ?? list?.[0];
  const type = fields.text("type", "transport", "transportType") ?? "";
  if (url !== undefined && (command === undefined || /http|sse|remote|^ws/i.test(type)))
    return {
      kind: "remote",
      url,
      transport: transportOf(type),
      headers: fields.record("headers", "http_headers"),
      signIn: signInOf(fields),
    };
  if (command === undefined) return { kind: "none" };
  const cwd = fields.text("cwd");
  return {
    kind: "program",
    command,
    args: [...(list?.slice(1) ?? []), ...(fields.texts("args") ?? [])],
    env: fields.record("env", "environment", "envs"),
    ...(cwd !== undefined && { cwd }),
  };
}

function transportOf(type: string): "auto" | "http" | "sse" {
  if (/^sse$/i.test(type)) return "sse";
  return /http/i.test(type) ? "http" : "auto";
}

/** As what a server is signed in at, where its settings say so. */
export function signInOf(fields: Fields): ListedClient {
  const given = fields.has("oauth") ? fields.at("oauth") : fields.at("auth");
  const clientId = given.text("clientId", "client_id", "CLIENT_ID");
  const clientSecret = given.text("clientSecret", "client_secret", "CLIENT_SECRET");
  const port = Number(given.raw("callbackPort"));
  const scopes = given.texts("scopes") ?? given.text("scope", "scopes")?.split(/[\s,]+/);
  return {
    ...(clientId && { clientId }),
    ...(clientId && clientSecret && { clientSecret }),
    ...(clientId && Number.isInteger(port) && port > 0 && port < 65_536 && { redirectPort: port }),
    ...(scopes && scopes.length > 0 && { scopes }),
  };
}

function notesOf(fields: Fields): FoundNote[] {
  const notes: FoundNote[] = [];
  const tell = (code: FoundNote["code"], what: string | undefined) => {
    if (what !== undefined) notes.push({ code, what: what.slice(0, 300) });
  };
  tell("env_file", fields.text("envFile"));
  tell("headers_helper", fields.text("headersHelper"));
  if (fields.has("sandbox")) tell("sandbox", "");
  const approved = fields.texts("autoApprove", "alwaysAllow", "autoAllow") ?? [];
  const trusts = fields.flag("trust") === true || fields.flag("alwaysAllow") === true;
  if (trusts || approved.length > 0) tell("auto_approve", approved.join(", "));
  return notes;
}
