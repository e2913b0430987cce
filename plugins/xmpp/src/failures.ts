import { ChannelFailure, failureOf } from "@patchbay/plugin-sdk/channel";
import type { Element } from "@xmpp/client";
import { NS } from "./namespaces.ts";

const credentials = new Set([
  "not-authorized",
  "account-disabled",
  "credentials-expired",
  "mechanism-too-weak",
]);

const fatal: Record<string, string> = {
  "host-unknown": "this server does not know the domain of the address",
  "not-allowed": "the server does not let this account in",
};

/** The server ends the connection for now: it is tried again, with pauses that grow. */
const passing: Record<string, string> = {
  conflict: "The server has ended this session for another one",
  "policy-violation": "The server has thrown the agent out",
};

/** What an error of the library means: of signing in, of the stream, or of the socket. */
export function failureFrom(error: Error & { condition?: string }): ChannelFailure {
  const { condition = "", message } = error;
  if (credentials.has(condition)) {
    return new ChannelFailure("credentials", `The server did not accept the password: ${message}`);
  }
  const why = fatal[condition];
  if (why !== undefined) return new ChannelFailure("fatal", `${why} (${message}).`);
  const word = passing[condition];
  if (word !== undefined) return new ChannelFailure("offline", `${word} (${message}).`);
  if (/^SASL: /.test(message)) {
    return new ChannelFailure(
      "fatal",
      "The server wants the password unprotected over an unencrypted connection.",
    );
  }
  return message === "" && error.name !== "TimeoutError"
    ? new ChannelFailure("offline", "The server closed the connection.")
    : failureOf(error);
}

/** The condition of a stanza error, as in `not-authorized`, and its words. */
export function stanzaError(stanza: Element): { condition: string; text: string; passing: boolean } {
  const error = stanza.getChild("error");
  const condition = error
    ?.getChildElements()
    .find((child) => child.getNS() === NS.stanzas && child.name !== "text");
  return {
    condition: condition?.name ?? "error",
    text: error?.getChildText("text") ?? "",
    passing: error?.attrs.type === "wait",
  };
}

/** Why a room does not let somebody in. */
export const joinRefusals: Readonly<Record<string, string>> = {
  conflict: "its name in rooms is taken by somebody else",
  "not-authorized": "its password is missing or wrong",
  forbidden: "it is banned there",
  "registration-required": "it is for members only",
  "item-not-found": "there is no such room, or it is not open yet",
  "service-unavailable": "the room is full",
  "not-acceptable": "the room wants a registered name",
  "remote-server-not-found": "there is no such server",
};
