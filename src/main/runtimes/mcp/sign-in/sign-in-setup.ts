import { extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import { PatchbayError } from "../../../../contract/index.ts";
import { systemIds } from "../../../base/ids.ts";
import type { HostExit } from "../../../platform/platform.ts";
import type { SetupPlugin, SetupPluginState, SetupRequest } from "../../runtime.ts";
import { addressOf, type RemoteServer, type RemoteWay } from "../connection/remote.ts";
import { placesOf } from "../own-places.ts";
import { keyInput } from "../server/endpoint.ts";
import type { Filling } from "../server/parts.ts";
import type { ServerFile } from "../server/server-file.ts";
import { askedInputs, fieldsOf, typedInputs } from "./asked-inputs.ts";
import { ClientIds, type KnownAs, ownRedirect } from "./client-id.ts";
import { type FoundProvider, findProvider } from "./find-provider.ts";
import { clientAt, givenClient } from "./given-client.ts";
import { type ProviderFetch, providerFetch } from "./provider-fetch.ts";
import { type Refusal, reach } from "./reach.ts";
import { scopesIn, WantedScopes } from "./wanted-scopes.ts";

/** What the wizard waits for. */
type Waiting =
  | { for: "inputs" }
  | { for: "consent"; at: Place }
  | { for: "client-id"; at: Place }
  | { for: "key" }
  | { for: "token"; provider: FoundProvider }
  | { for: "nothing" };

/** Where the person signs in, and what is asked for. */
interface Place {
  provider: FoundProvider;
  through: ProviderFetch;
  scopes: string[];
  more: string[];
}

export interface SignInSetupOptions {
  file: ServerFile;
  server: RemoteServer;
  client: RemoteWay["client"];
  /** Address of the public document that describes Patchbay to providers; null: there is none. */
  clientMetadataUrl: string | null;
  /** Clients with which a sign-in has begun and not come to its end, of all setups since the app started. */
  openClients: Set<string>;
}

/**
 * The setup of a remote server: its inputs, then a first connection. A server that refuses it says who signs people in; the
 * person reads who that is and which rights are asked for before anything is sent there. Nothing of the server runs here, so
 * there is no process.
 */
export class SignInSetup implements SetupPlugin {
  readonly pid = null;
  readonly exited: Promise<HostExit>;
  readonly #request: SetupRequest;
  readonly #options: SignInSetupOptions;
  readonly #clients: ClientIds;
  readonly #wanted: WantedScopes;
  readonly #ended = new AbortController();
  readonly #exit: (exit: HostExit) => void;
  #typed: Record<string, unknown> = {};
  #waiting: Waiting = { for: "nothing" };

  constructor(request: SetupRequest, options: SignInSetupOptions) {
    this.#request = request;
    this.#options = options;
    this.#clients = new ClientIds(request.services.credentials, options.openClients);
    this.#wanted = new WantedScopes(request.services.credentials);
    const { promise, resolve } = Promise.withResolvers<HostExit>();
    this.exited = promise;
    this.#exit = resolve;
  }

  async begin(_input: Record<string, unknown>, signal: AbortSignal) {
    const { file } = this.#options;
    const { config, reason } = this.#request;
    const asked = askedInputs(file.inputs, config, reason === "first");
    const sessionId = systemIds.next();
    if (asked.length === 0) return { sessionId, state: await this.#connect(signal) };
    this.#waiting = { for: "inputs" };
    const fields = fieldsOf(asked, config);
    return { sessionId, state: { kind: "awaiting_user_input" as const, fields } };
  }

  poll(): Promise<SetupPluginState> {
    return Promise.reject(new PatchbayError("SETUP_FAILED", "This setup waits for nothing outside."));
  }

  async submit(
    _session: string,
    input: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<SetupPluginState> {
    const waiting = this.#waiting;
    this.#waiting = { for: "nothing" };
    switch (waiting.for) {
      case "inputs":
        this.#typed = typedInputs(this.#options.file.inputs, input);
        return this.#connect(signal);
      case "key":
        this.#typed = { ...this.#typed, [keyInput.name]: textIn(input, keyInput.name) };
        return this.#connect(signal);
      case "consent":
        return input.choice === "own" ? this.#askForClientId(waiting.at) : this.#signIn(waiting.at);
      case "client-id": {
        const [id, secret] = [textIn(input, "client_id"), textIn(input, "client_secret")];
        const { provider } = waiting.at;
        return this.#toProvider(waiting.at, await this.#clients.enter(provider, id, secret || undefined));
      }
      case "token":
        await this.#clients.proved(waiting.provider);
        return this.#connect(signal, textIn(input, "accessToken"));
      case "nothing":
        throw new PatchbayError("SETUP_FAILED", "This setup waits for no answer.");
    }
  }

  async cancel(): Promise<void> {}

  /** Whether the server takes its settings was seen when it was connected to. */
  async check(): Promise<void> {}

  async close(): Promise<void> {
    this.#ended.abort(new PatchbayError("ABORTED", "The setup was ended."));
    this.#exit({ code: 0, signal: null });
  }

  get #config(): Record<string, unknown> {
    return { ...this.#request.config, ...this.#typed };
  }

  /** Connects with what is known by now. @param token of the sign-in that the person just made */
  async #connect(signal: AbortSignal, token?: string): Promise<SetupPluginState> {
    const { server, client } = this.#options;
    const refusal = await reach(server, {
      request: { ...this.#request, config: this.#config },
      client,
      token,
      signal: AbortSignal.any([signal, this.#ended.signal]),
    });
    if (refusal === null) return { kind: "done", config: this.#typed };
    if (token !== undefined)
      throw new PatchbayError(
        "CREDENTIALS_REFUSED",
        `${this.#address().host} does not accept the sign-in that was just made.`,
      );
    return this.#askConsent(refusal);
  }

  /** What the person reads before anything is sent to where they sign in. */
  async #askConsent({ challenge }: Refusal): Promise<SetupPluginState> {
    const { server } = this.#options;
    const address = this.#address();
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(challenge);
    const through = providerFetch(address, this.#request.walls.judge, this.#ended.signal);
    const provider = await findProvider(address, resourceMetadataUrl, through);
    if (provider === null) return this.#askForKey(address.host);
    const named = scope === undefined ? (provider.scopes ?? []) : scopesIn(scope);
    const granted = this.#request.scopes;
    const wanted = [
      ...new Set([...(server.scopes ?? []), ...named, ...granted, ...(await this.#wanted.get())]),
    ];
    const scopes = provider.renews ? [...new Set([...wanted, "offline_access"])] : wanted;
    const more = granted.length === 0 ? [] : wanted.filter((right) => !granted.includes(right));
    const rights = wanted.filter((right) => right !== "offline_access");
    const given = (await this.#clients.isEntered(provider)) ? null : this.#givenClient();
    this.#waiting = { for: "consent", at: { provider, through, scopes, more } };
    return {
      kind: "awaiting_choice",
      instructions: [
        `${address.host} has ${provider.host} sign people in. Patchbay opens its page in your browser, and never sees your password.`,
        rights.length > 0
          ? `It asks for these rights: ${rights.join(", ")}.`
          : "It names no rights that it asks for.",
        ...(more.length > 0 ? [`New among them: ${more.join(", ")}.`] : []),
        ...(given
          ? [
              `It uses the client ${given.id} that came with the server${given.secret === undefined ? "" : `, and sends its secret to ${provider.host}`}.`,
            ]
          : []),
      ].join("\n"),
      options: [
        { value: "go", label: `Sign in at ${provider.host}` },
        { value: "own", label: "Use a client id of my own" },
      ],
      about: {
        kind: "sign-in",
        server: address.host,
        provider: provider.host,
        scopes: rights,
        more,
        ...(given && { client: { id: given.id, secret: given.secret !== undefined } }),
      },
    };
  }

  /** Gets Patchbay known at the provider in the best way that it has, and hands the sign-in to the engine. */
  async #signIn(at: Place): Promise<SetupPluginState> {
    const { clientMetadataUrl } = this.#options;
    const { provider, through } = at;
    const [given, { host }] = [this.#givenClient(), this.#address()];
    const { credentials: profiles } = this.#request.services;
    const known = await this.#clients.known(provider, through, {
      given: given && (() => clientAt(given, provider, { profiles, host })),
      document: clientMetadataUrl,
      server: host,
      signal: this.#ended.signal,
    });
    return known ? this.#toProvider(at, known) : this.#askForClientId(at);
  }

  #toProvider({ provider, through, scopes }: Place, known: KnownAs): SetupPluginState {
    this.#waiting = { for: "token", provider };
    return {
      kind: "awaiting_oauth",
      authorizationEndpoint: provider.authorizationEndpoint,
      tokenEndpoint: provider.tokenEndpoint,
      ...(provider.revocationEndpoint && { revocationEndpoint: provider.revocationEndpoint }),
      clientId: known.id,
      ...(known.secret !== undefined && { clientSecret: known.secret }),
      ...(scopes.length > 0 && { scopes }),
      ...(known.port !== undefined && {
        redirect: { port: known.port, ...(known.host && { host: known.host }) },
      }),
      // Without it providers give nothing that can be renewed.
      ...(scopes.includes("offline_access") && { parameters: { prompt: "consent" } }),
      ways: ["browser"],
      provider: {
        issuer: provider.issuer,
        answersWithIssuer: provider.answersWithIssuer,
        resource: provider.resource,
        inside: through.inside(),
        ...(known.auth && { clientAuth: known.auth }),
      },
    };
  }

  #askForClientId(at: Place): SetupPluginState {
    const { host } = at.provider;
    this.#waiting = { for: "client-id", at };
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

  /** @throws PatchbayError CREDENTIALS_REFUSED */
  #askForKey(host: string): SetupPluginState {
    const { inputs } = this.#options.file;
    const hasKey = inputs.some(({ name }) => name === keyInput.name);
    if (!hasKey || this.#typed[keyInput.name] !== undefined)
      throw new PatchbayError(
        "CREDENTIALS_REFUSED",
        inputs.some(({ secret }) => secret)
          ? `${host} refuses the key.`
          : `${host} wants a sign-in but does not say where.`,
      );
    this.#waiting = { for: "key" };
    return {
      kind: "awaiting_user_input",
      instructions: `${host} wants a sign-in but does not say where. If you have a key for it, enter it here.`,
      fields: [{ key: keyInput.name, label: "Key", type: "password", required: true }],
      about: { kind: "key", server: host },
    };
  }

  #givenClient(): KnownAs | null {
    return givenClient(this.#options.server, this.#filling);
  }

  get #filling(): Filling {
    return { inputs: this.#config, places: placesOf("", this.#request.workspace) };
  }

  #address(): URL {
    return addressOf(this.#options.server, this.#filling);
  }
}

function textIn(input: Readonly<Record<string, unknown>>, key: string): string {
  const value = input[key];
  return typeof value === "string" ? value.trim() : "";
}
