import { z } from "zod";
import { PatchbayError, type SetupAbout } from "../../contract/index.ts";
import { cleanLine, cleanText } from "../../contract/shown/clean-text.ts";
import type { HostExit } from "../platform/platform.ts";

/** Shortest, longest and usual time between two polls, in milliseconds. */
const POLL_MS = { least: 100, most: 60_000, usual: 2_000 };

const text = z.string().max(4_000).transform(cleanText);
/** A label: one line of at most so many characters. */
const line = (most: number) => z.string().max(most).transform(cleanLine);
const heading = {
  title: line(200).optional(),
  steps: z.array(line(100)).max(20).optional(),
  step: z.number().int().nonnegative().optional(),
};
const address = z.string().max(8_000).refine(isSafeAddress, "an https address");

/** The states of a plugin's setup, as the app accepts them. Keys that are not known are left out. */
export const setupStateSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("awaiting_user_input"),
    ...heading,
    instructions: text.optional(),
    problem: text.optional(),
    page: z.object({ url: address, label: line(100) }).optional(),
    copy: z.object({ text: z.string().max(16_000).transform(cleanText), label: line(100) }).optional(),
    fields: z
      .array(
        z.object({
          key: z.string().min(1).max(128),
          label: line(200),
          type: z.enum(["text", "phone", "password", "number", "choices", "choice", "switch"]).catch("text"),
          options: z
            .array(
              z.object({
                value: z
                  .string()
                  .min(1)
                  .max(200)
                  .regex(/^[^,]*$/, "a value without a comma"),
                label: line(200),
                help: line(400).optional(),
              }),
            )
            .max(200)
            .optional(),
          required: z.boolean().optional(),
          default: line(4_000).optional(),
          min: z.number().optional(),
          max: z.number().optional(),
          placeholder: line(200).optional(),
          help: text.optional(),
          advanced: z.boolean().optional(),
        }),
      )
      .max(50),
  }),
  z.object({
    kind: z.literal("awaiting_choice"),
    ...heading,
    instructions: text.optional(),
    options: z
      .array(z.object({ value: z.string().max(200), label: line(200), help: text.optional() }))
      .min(1)
      .max(50),
  }),
  z.object({
    kind: z.literal("awaiting_external"),
    ...heading,
    instructions: text.default(""),
    /** 2,900 characters, because a QR code cannot hold many more. */
    qrText: z.string().min(1).max(2_900).optional(),
    redirectUrl: address.optional(),
    code: line(100).optional(),
    pollIntervalMs: z
      .number()
      .catch(POLL_MS.usual)
      .transform((ms) => Math.min(POLL_MS.most, Math.max(POLL_MS.least, ms))),
    expiresInMs: z.number().positive().max(86_400_000).optional(),
    attempt: z
      .object({ number: z.number().int().positive(), of: z.number().int().positive().optional() })
      .optional(),
  }),
  z.object({
    kind: z.literal("awaiting_oauth"),
    ...heading,
    instructions: text.optional(),
    issuer: address.optional(),
    authorizationEndpoint: address.optional(),
    tokenEndpoint: address.optional(),
    deviceAuthorizationEndpoint: address.optional(),
    revocationEndpoint: address.optional(),
    clientId: z.string().min(1).max(2_000),
    clientSecret: z.string().max(4_000).optional(),
    scopes: z.array(z.string().max(500)).max(100).optional(),
    redirect: z
      .object({
        host: z.enum(["127.0.0.1", "localhost"]).optional(),
        port: z.number().int().min(1).max(65_535).optional(),
        path: z
          .string()
          .regex(/^\/[\w./-]*$/)
          .optional(),
      })
      .optional(),
    parameters: z.record(z.string().max(100), z.string().max(2_000)).optional(),
    ways: z
      .array(z.enum(["browser", "device"]))
      .min(1)
      .optional(),
  }),
  z.object({
    kind: z.literal("done"),
    config: z.record(z.string(), z.unknown()),
    account: line(200).optional(),
  }),
  z.object({ kind: z.literal("error"), message: text }),
]);

/**
 * What a setup of the core's own adds to a state, which a plugin cannot say: {@link parseSetupState} leaves it out.
 */
export interface OwnSetup {
  /** What the step is about, for screens, which say it in their own words. */
  about?: SetupAbout;
  /** Of `awaiting_oauth`: what was found out about the provider before. Its description is then not asked for. */
  provider?: SignInProvider;
}

/** A provider of which all is known, and what its tokens are for. */
export interface SignInProvider {
  issuer: string;
  /** It names itself in each answer (RFC 9207); one without a name is refused. */
  answersWithIssuer: boolean;
  /** What the tokens are for (RFC 8707). They are sent nowhere else. */
  resource: string;
  /** Origins that may be reached although they are not on the public internet: those that the person allowed. */
  inside: string[];
  /** How the client proves who it is; absent: by its secret, in the form. */
  clientAuth?: ClientAuth;
  /** The client signs in for itself, without a person (`client_credentials`). */
  forItself?: boolean;
}

/** How a client proves who it is: its secret in the form or in a header, or a signature by its private key. */
export type ClientAuth = "post" | "basic" | "key";

/** The state of a plugin's setup, checked; states with an address that may not be opened were refused before. */
export type SetupPluginState = z.infer<typeof setupStateSchema> & OwnSetup;

/**
 * An open setup of a plugin. All calls reject with PatchbayError (SETUP_FAILED, SETUP_INVALID, HOST_CRASHED) or with
 * the signal's reason.
 */
export interface SetupPlugin {
  readonly pid: number | null;
  begin(
    input: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<{ sessionId: string; state: SetupPluginState }>;
  poll(sessionId: string, signal: AbortSignal): Promise<SetupPluginState>;
  submit(sessionId: string, input: Record<string, unknown>, signal: AbortSignal): Promise<SetupPluginState>;
  cancel(sessionId: string, signal: AbortSignal): Promise<void>;
  /** Whether `parseConfig` takes these settings, secrets resolved. @throws PatchbayError CONFIG_REFUSED */
  check(config: Record<string, unknown>, signal: AbortSignal): Promise<void>;
  /** Ends its process. Never rejects. */
  close(): Promise<void>;
  /** Resolves when its process is gone, for whatever reason. */
  readonly exited: Promise<HostExit>;
}

/** @throws PatchbayError SETUP_INVALID, naming the wrong field */
export function parseSetupState(value: unknown): z.infer<typeof setupStateSchema> {
  const parsed = setupStateSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue?.path.join(".");
  throw new PatchbayError(
    "SETUP_INVALID",
    at === "redirectUrl" || at === "page.url"
      ? "The plugin's setup wants to open an address that is not https, so it was not opened."
      : `The plugin's setup answered something that Patchbay does not understand${at ? `: \`${at}\`` : ""}.`,
    { details: { issues: parsed.error.issues.slice(0, 5).map(({ path, message }) => ({ path, message })) } },
  );
}

/** Whether an address may be opened: https, or http to this machine. */
export function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Whether an address is the resource or lies below it: of the same origin, each part of its path the same. */
export function covers(resource: string, address: string): boolean {
  const [whole, part] = [URL.parse(resource), URL.parse(address)];
  if (!whole || !part || whole.origin !== part.origin || whole.search !== "") return false;
  const above = whole.pathname.replace(/\/*$/, "/");
  return `${part.pathname}/`.startsWith(above);
}
