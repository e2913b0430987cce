import type { SetupPluginState } from "../../runtime.ts";
import { keyInput } from "../server/endpoint.ts";
import { type KnownAs, ownRedirect } from "./client-id.ts";
import type { FoundProvider } from "./find-provider.ts";

type Menu = Extract<SetupPluginState, { kind: "awaiting_choice" }>;
type Form = Extract<SetupPluginState, { kind: "awaiting_user_input" }>;

/** Why a machine account cannot be signed in with as it was entered. */
export type AccountFault = Extract<Form["about"], { kind: "account" }>["fault"];

const faults: Record<NonNullable<AccountFault>, (provider: string) => string> = {
  secret: () => "Enter the secret or the private key of this client ID.",
  key: () =>
    "This is no private key that can be used. It must be RSA (2048 bits or more) or EC (P-256, P-384, P-521), as PEM or JSON Web Key, without a passphrase.",
  "no-keys": (provider) => `${provider} takes no private keys. Enter the client secret.`,
};

/**
 * Who signs in where with which rights, before anything is sent there.
 *
 * @param server the server's host
 * @param given the client that came with the server and is used; null: another
 */
export function consentMenu(
  server: string,
  provider: FoundProvider,
  { rights, more, given }: { rights: string[]; more: string[]; given: KnownAs | null },
): Menu {
  const { host, signsPeople, signsMachines } = provider;
  return {
    kind: "awaiting_choice",
    instructions: [
      `${server} has ${host} sign people in. Patchbay opens its page in your browser, and never sees your password.`,
      rights.length > 0
        ? `It asks for these rights: ${rights.join(", ")}.`
        : "It names no rights that it asks for.",
      ...(more.length > 0 ? [`New among them: ${more.join(", ")}.`] : []),
      ...(given
        ? [
            `It uses the client ${given.id} that came with the server${given.secret === undefined ? "" : `, and sends its secret to ${host}`}.`,
          ]
        : []),
    ].join("\n"),
    options: [
      ...(signsPeople
        ? [
            { value: "go", label: `Sign in at ${host}` },
            { value: "own", label: "Use a client id of my own" },
          ]
        : []),
      ...(signsMachines ? [{ value: "account", label: "Use a machine account" }] : []),
    ],
    about: {
      kind: "sign-in",
      server,
      provider: host,
      scopes: rights,
      more,
      ...(given && { client: { id: given.id, secret: given.secret !== undefined } }),
    },
  };
}

export function clientIdForm({ host }: FoundProvider): Form {
  return {
    kind: "awaiting_user_input",
    instructions: `${host} does not register apps by itself. Make a client there, with the address below to come back to, and enter its id.`,
    copy: { text: ownRedirect, label: "Address to come back to" },
    fields: [
      { key: "client_id", label: "Client ID", type: "text", required: true },
      { key: "client_secret", label: "Client secret", type: "password" },
    ],
    about: { kind: "client-id", provider: host },
  };
}

/** @param kept the client ID that was entered before, whose secret may be left out */
export function accountForm(
  { host }: FoundProvider,
  kept: string | undefined,
  fault: AccountFault | undefined,
): Form {
  return {
    kind: "awaiting_user_input",
    instructions: `Patchbay signs in at ${host} by itself, without a person and a browser, with what the organisation gave out for this.`,
    ...(fault && { problem: faults[fault](host) }),
    fields: [
      {
        key: "client_id",
        label: "Client ID",
        type: "text",
        required: true,
        ...(kept !== undefined && { default: kept }),
      },
      {
        key: "client_secret",
        label: "Client secret or private key",
        type: "password",
        ...(kept === undefined && { required: true }),
      },
    ],
    about: { kind: "account", provider: host, ...(fault && { fault }) },
  };
}

export function keyForm(host: string): Form {
  return {
    kind: "awaiting_user_input",
    instructions: `${host} wants a sign-in but does not say where. If you have a key for it, enter it here.`,
    fields: [{ key: keyInput.name, label: "Key", type: "password", required: true }],
    about: { kind: "key", server: host },
  };
}
