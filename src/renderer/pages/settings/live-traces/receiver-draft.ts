import type { OtlpSettings } from "../../../../contract/trace/live-traces.ts";

/** What the form asks: where traces go, and the stored secret that the receiver wants to see. */
export interface ReceiverDraft {
  address: string;
  header: string;
  /** Name of a stored secret; empty: the receiver wants none. */
  secret: string;
  contents: boolean;
}

/** A whole value of a header that is one stored secret, as this form writes it. */
const reference = /^(?:Bearer )?\$\{(\w+)\}$/;

export function draftOf(otlp: OtlpSettings | null): ReceiverDraft {
  const [header = "Authorization", value = ""] = ownHeader(otlp) ?? [];
  return {
    address: otlp?.endpoint ?? "",
    header,
    secret: reference.exec(value)?.[1] ?? "",
    contents: otlp?.contents ?? false,
  };
}

/** The settings of a draft. Headers that this form did not write stay. */
export function settingsOf(draft: ReceiverDraft, before: OtlpSettings | null): OtlpSettings {
  const own = ownHeader(before)?.[0];
  const kept = Object.entries(before?.headers ?? {}).filter(([name]) => name !== own);
  const name = draft.header.trim();
  const value = `${name.toLowerCase() === "authorization" ? "Bearer " : ""}\${${draft.secret}}`;
  const headers = Object.fromEntries(draft.secret === "" ? kept : [...kept, [name, value]]);
  return { endpoint: addressOf(draft.address), headers, contents: draft.contents };
}

/** A web address that was typed; one without a scheme is completed. */
export function addressOf(typed: string): string {
  const text = typed.trim();
  if (text === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  return `${isHere(text) ? "http" : "https"}://${text}`;
}

export function isAddress(typed: string): boolean {
  const url = URL.parse(addressOf(typed));
  return url !== null && (url.protocol === "http:" || url.protocol === "https:");
}

export function isHeader(name: string): boolean {
  return /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name.trim());
}

function isHere(text: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=[:/]|$)/i.test(text);
}

function ownHeader(otlp: OtlpSettings | null): [name: string, value: string] | undefined {
  return Object.entries(otlp?.headers ?? {}).find(([, value]) => reference.test(value));
}
