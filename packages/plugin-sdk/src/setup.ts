/**
 * The setup of a plugin, which a wizard of the host shows. The plugin keeps the sessions of its setup; the host shows
 * the steps and stores the result.
 */
export interface ChannelSetup {
  begin(
    input: Record<string, unknown>,
    ctx: ChannelSetupContext,
  ): Promise<{ sessionId: string; state: SetupState }>;
  poll(sessionId: string, ctx: ChannelSetupContext): Promise<SetupState>;
  submit?(sessionId: string, input: Record<string, unknown>, ctx: ChannelSetupContext): Promise<SetupState>;
  /** Ends a session. May be called twice for the same one. */
  cancel?(sessionId: string, ctx: ChannelSetupContext): Promise<void>;
}
export interface ChannelSetupContext {
  agentId: string;
  logger(message: string): void;
  /**
   * Values to be kept with the stored secrets. They are stored when the setup is done, and dropped when it is not
   * completed. Older hosts do not have it.
   */
  credentialStore?: CredentialStore;
  /** Why the person opened the setup. Older hosts do not say it. */
  reason?: SetupReason;
  /**
   * The language that the person chose for what this agent says in chats, as a tag such as `de`: for what is put on the
   * platform itself, such as the text of a menu. Your steps stay in English. Older hosts do not say it.
   */
  language?: string;
  /** Aborted when the wizard ends. Older hosts leave it out. */
  signal?: AbortSignal;
}
export type SetupReason = "first" | "reconfigure" | "sign_in_again";

/** Named values in profiles, encrypted, for this plugin and agent. */
export interface CredentialStore {
  get(profile: string, key: string): Promise<string | undefined>;
  list(profile: string): Promise<Record<string, string>>;
  set(profile: string, key: string, value: string): Promise<void>;
  delete(profile: string, key: string): Promise<void>;
  replace(profile: string, values: Record<string, string>): Promise<void>;
  clear(profile: string): Promise<void>;
}

export interface SetupField {
  key: string;
  label: string;
  /**
   * `choices`: some of `options`, picked from a list. `submit` gets their values with commas between them, so no value has
   * one in it. `choice`: one of them. `switch`: `submit` gets `true` or `false` as a text. Hosts that do not know these show
   * a text field.
   */
  type: "text" | "phone" | "password" | "number" | "choices" | "choice" | "switch";
  /** For `choices` and `choice`: at most 200. */
  options?: { value: string; label: string; help?: string }[];
  required?: boolean;
  /** What it is until the person says otherwise, in the form of an answer. Older hosts do not show it. */
  default?: string;
  /** Of numbers: the least and the most that is taken. Older hosts do not check it. */
  min?: number;
  max?: number;
  placeholder?: string;
  help?: string;
  /** Few people need it: it is folded away under "Advanced". Not for a required field. Older hosts show it like any other. */
  advanced?: boolean;
}

/** Fields that each state that waits for the person may have, for the heading of the wizard. */
interface SetupHeading {
  /** Heading of the step. Default: the host chooses one. */
  title?: string;
  /** The titles of all steps, when they are known in advance; `step` is the number of this one, from 0. */
  steps?: string[];
  step?: number;
}

/** The four states of the base contract, with optional additions. */
export type ChannelSetupState =
  | ({
      kind: "awaiting_user_input";
      instructions?: string;
      fields: SetupField[];
      /** What was wrong with the last answer, as a sentence. */
      problem?: string;
      /** A page to open beside the form, for example the one where a token is found. https, or http on this machine. */
      page?: { url: string; label: string };
      /** A text to copy, for example an app manifest to paste into that page. At most 16,000 characters. */
      copy?: { text: string; label: string };
    } & SetupHeading)
  | ({
      kind: "awaiting_external";
      instructions: string;
      qrText?: string;
      /** https, or http on this machine. */
      redirectUrl?: string;
      pollIntervalMs: number;
      /** A code to type instead of scanning. */
      code?: string;
      /** Milliseconds from now for which the shown code or page is valid. */
      expiresInMs?: number;
      /** Number of this code, from 1, and how many there will be at most. */
      attempt?: { number: number; of?: number };
    } & SetupHeading)
  | { kind: "done"; config: Record<string, unknown> /** Who it is connected as. */; account?: string }
  | { kind: "error"; message: string };

/** The person chooses one option. `submit` gets the answer as `{choice}`, the option's `value`. */
export type MenuSetupState = {
  kind: "awaiting_choice";
  instructions?: string;
  options: { value: string; label: string; help?: string }[];
} & SetupHeading;

/** The host signs the person in (OAuth) and passes the tokens to `submit` as {@link OAuthTokens}. */
export type OAuthSetupState = {
  kind: "awaiting_oauth";
  instructions?: string;
  /** Issuer whose discovery document names the endpoints. Without it, give the endpoints below. */
  issuer?: string;
  authorizationEndpoint?: string;
  tokenEndpoint?: string;
  deviceAuthorizationEndpoint?: string;
  revocationEndpoint?: string;
  clientId: string;
  clientSecret?: string;
  scopes?: string[];
  /** Where the provider sends the browser back to on this machine; absent: any port of 127.0.0.1. */
  redirect?: { host?: "127.0.0.1" | "localhost"; port?: number; path?: string };
  /** Further parameters of the authorization request. */
  parameters?: Record<string, string>;
  /**
   * The ways to sign in that the provider offers, the preferred one first. Default: the browser, then a device code
   * when there is an endpoint for it.
   */
  ways?: ("browser" | "device")[];
} & SetupHeading;

/**
 * The input of `submit` after a sign-in. The host keeps the refresh token: a running plugin asks `ctx.oauth` for a
 * valid access token.
 */
export interface OAuthTokens {
  accessToken: string;
  refreshToken?: string;
  idToken?: string;
  tokenType: string;
  scope?: string;
  /** Milliseconds since 1970. */
  expiresAt?: number;
}

export type SetupState = ChannelSetupState | MenuSetupState | OAuthSetupState;
