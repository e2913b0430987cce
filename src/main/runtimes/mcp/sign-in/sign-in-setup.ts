import { extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import { PatchbayError } from "../../../../contract/index.ts";
import { systemIds } from "../../../base/ids.ts";
import type { HostExit } from "../../../platform/platform.ts";
import { looksLikePrivateKey, readPrivateKey } from "../../../secrets/keys/private-key.ts";
import type { SetupPlugin, SetupPluginState, SetupRequest } from "../../runtime.ts";
import { addressOf, type RemoteServer, type RemoteWay } from "../connection/remote.ts";
import { placesOf } from "../own-places.ts";
import { keyInput } from "../server/endpoint.ts";
import type { Filling } from "../server/parts.ts";
import type { ServerFile } from "../server/server-file.ts";
import { askedInputs, fieldsOf, typedInputs } from "./asked-inputs.ts";
import { ClientIds, type KnownAs } from "./client-id.ts";
import { type FoundProvider, findProvider } from "./find-provider.ts";
import { clientAt, givenClient } from "./given-client.ts";
import { type ProviderFetch, providerFetch } from "./provider-fetch.ts";
import { type AccountFault, accountForm, clientIdForm, consentMenu, keyForm } from "./questions.ts";
import { type Refusal, reach } from "./reach.ts";
import { scopesIn, WantedScopes } from "./wanted-scopes.ts";

/** What the wizard waits for. */
type Waiting =
  | { for: "inputs" }
  | { for: "consent"; at: Place }
  | { for: "client-id"; at: Place }
  | { for: "account"; at: Place }
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
        if (input.choice === "account") return this.#askForAccount(waiting.at);
        return input.choice === "own" ? this.#askForClientId(waiting.at) : this.#signIn(waiting.at);
      case "account":
        return this.#asAccount(waiting.at, textIn(input, "client_id"), textIn(input, "client_secret"));
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
    return consentMenu(address.host, provider, { rights, more, given });
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

  /** @param forItself without a person */
  #toProvider({ provider, through, scopes }: Place, known: KnownAs, forItself = false): SetupPluginState {
    this.#waiting = { for: "token", provider };
    return {
      kind: "awaiting_oauth",
      ...(provider.authorizationEndpoint && { authorizationEndpoint: provider.authorizationEndpoint }),
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
        ...(forItself && { forItself }),
      },
    };
  }

  #askForClientId(at: Place): SetupPluginState {
    this.#waiting = { for: "client-id", at };
    return clientIdForm(at.provider);
  }

  /** @param fault why what was entered cannot be used */
  async #askForAccount(at: Place, fault?: AccountFault): Promise<SetupPluginState> {
    this.#waiting = { for: "account", at };
    // What was kept and does not do is asked for whole.
    const kept = fault ? null : await this.#clients.account(at.provider);
    return accountForm(at.provider, kept?.id, fault);
  }

  /** Signs in as a machine account, whose secret or key goes to the provider that was named to the person, and to no other. */
  async #asAccount(at: Place, id: string, typed: string): Promise<SetupPluginState> {
    const { provider, scopes } = at;
    const kept = await this.#clients.account(provider);
    const secret = typed || (kept?.id === id ? (kept.secret ?? "") : "");
    if (secret === "") return this.#askForAccount(at, "secret");
    const isKey = looksLikePrivateKey(secret);
    if (isKey && readPrivateKey(secret) === null) return this.#askForAccount(at, "key");
    if (isKey && !provider.takesKeys) return this.#askForAccount(at, "no-keys");
    const known: KnownAs = { id, secret, auth: isKey ? "key" : provider.secretsBy };
    await this.#clients.keepAccount(provider, known);
    // Nobody is there to be asked, so there is nothing to be renewed either.
    const rights = scopes.filter((right) => right !== "offline_access");
    return this.#toProvider({ ...at, scopes: rights }, known, true);
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
    return keyForm(host);
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
