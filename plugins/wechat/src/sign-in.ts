import { type ChannelClock, failureOf, pause } from "@patchbay/plugin-sdk/channel";
import { PollTimeout, WeChatApi } from "./api.ts";
import { codeSchema, type Scan, scanSchema } from "./wire.ts";

const CALL_MS = 15_000;
const POLL_MS = 35_000;
const PAUSE_MS = 1_000;
const CODE_MS = 5 * 60_000;
const MOST_CODES = 3;
/** Time limit for the whole sign-in, milliseconds. */
const PATIENCE_MS = 8 * 60_000;

export interface SignInOptions {
  /** Where a sign-in begins. */
  loginUrl: string;
  /** Tokens that were given here before; the service recognises its bots by them. */
  knownTokens: readonly string[];
  /** Whether the service may send us on to this address. */
  isTrusted(address: URL): boolean;
  clock: ChannelClock;
  signal: AbortSignal;
}

export interface SignedIn {
  botToken: string;
  baseUrl: string;
  botId: string;
  /** Who scanned the code; "" when the service does not say. */
  ownerId: string;
}

export type SignInView =
  | { kind: "code"; text: string; number: number; of: number; expiresInMs: number }
  | { kind: "scanned" }
  | { kind: "digits"; wrong: boolean }
  | { kind: "failed"; message: string }
  | { kind: "signed-in"; account: SignedIn }
  /** This bot is signed in here already; its credentials stay. */
  | { kind: "known" };

/** One sign-in by QR code: asks the service for its state until the sign-in has ended. */
export class SignIn {
  readonly #options: SignInOptions;
  readonly #deadline: number;
  #view: SignInView = { kind: "scanned" };
  #codes = 0;
  #shownAt = 0;
  #base: string;
  #digits: string | null = null;
  #askAgain = () => {};

  constructor(options: SignInOptions) {
    this.#options = options;
    this.#base = options.loginUrl;
    this.#deadline = options.clock.now() + PATIENCE_MS;
  }

  get view(): SignInView {
    if (this.#view.kind !== "code") return this.#view;
    const passed = this.#options.clock.now() - this.#shownAt;
    return { ...this.#view, expiresInMs: Math.max(0, CODE_MS - passed) };
  }

  /** Resolves when there is a code to show, or there will be none. */
  async begin(): Promise<void> {
    const code = await this.#newCode();
    if (code !== null) void this.#follow(code);
  }

  /** The digits that the phone shows. Resolves when the service has said what it thinks of them. */
  async answer(digits: string): Promise<void> {
    if (this.#view.kind !== "digits" || digits === "") return;
    this.#digits = digits;
    const judged = Promise.withResolvers<void>();
    this.#judged = judged.resolve;
    this.#askAgain();
    await judged.promise;
  }

  #judged = () => {};

  /** Never rejects. */
  async #follow(first: string): Promise<void> {
    const { clock, signal } = this.#options;
    let code: string | null = first;
    while (code !== null && !signal.aborted) {
      if (clock.now() > this.#deadline) {
        this.#fail("Nobody scanned the code in time. Try again when the phone is at hand.");
        return;
      }
      const scan = await this.#ask(code);
      if (signal.aborted) break;
      code = await this.#apply(scan, code);
      if (this.#view.kind !== "digits" || this.#digits === null) this.#judged();
      if (code === null) break;
      if (this.#view.kind === "digits") await this.#answered();
      else await pause(clock, PAUSE_MS, signal);
    }
    this.#judged();
  }

  /** How the code stands; a call that failed counts as "nothing new". */
  async #ask(code: string): Promise<Scan> {
    const { clock, signal } = this.#options;
    const query = new URLSearchParams({ qrcode: code });
    if (this.#digits !== null) query.set("verify_code", this.#digits);
    try {
      const api = new WeChatApi({ baseUrl: this.#base, clock });
      return await api.get(`ilink/bot/get_qrcode_status?${query}`, scanSchema, {
        timeoutMs: POLL_MS,
        signal,
      });
    } catch {
      return { status: "wait" };
    }
  }

  /** What a status means. Resolves with the code to ask about next, null when the sign-in has ended. */
  async #apply(scan: Scan, code: string): Promise<string | null> {
    switch (scan.status) {
      case "scaned":
        this.#digits = null;
        this.#view = { kind: "scanned" };
        return code;
      case "scaned_but_redirect":
        this.#view = { kind: "scanned" };
        return this.#redirect(scan.redirect_host ?? null) ? code : null;
      case "need_verifycode":
        this.#view = { kind: "digits", wrong: this.#digits !== null };
        this.#digits = null;
        return code;
      case "verify_code_blocked":
      case "expired":
        this.#digits = null;
        this.#base = this.#options.loginUrl;
        return this.#newCode();
      case "binded_redirect":
        this.#view = { kind: "known" };
        return null;
      case "confirmed":
        this.#confirmed(scan);
        return null;
      default:
        return code;
    }
  }

  #confirmed({ bot_token, ilink_bot_id, baseurl, ilink_user_id }: Scan): void {
    if (!bot_token || !ilink_bot_id) {
      this.#fail("WeChat confirmed the sign-in but gave no token. Try again.");
      return;
    }
    const baseUrl = baseurl || this.#options.loginUrl;
    if (!URL.canParse(baseUrl) || !this.#options.isTrusted(new URL(baseUrl))) {
      this.#fail("WeChat named a server that is not Tencent's, so the sign-in was given up.");
      return;
    }
    const account = { botToken: bot_token, baseUrl, botId: ilink_bot_id, ownerId: ilink_user_id ?? "" };
    this.#view = { kind: "signed-in", account };
  }

  /** Asks another host from now on, if it may be trusted. Returns false otherwise. */
  #redirect(host: string | null): boolean {
    if (host === null) return true;
    const scheme = new URL(this.#options.loginUrl).protocol;
    const address = `${scheme}//${host}`;
    if (!URL.canParse(address) || !this.#options.isTrusted(new URL(address))) {
      this.#fail("WeChat sent the sign-in on to a server that is not Tencent's, so it was given up.");
      return false;
    }
    this.#base = address;
    return true;
  }

  async #newCode(): Promise<string | null> {
    const { loginUrl, knownTokens, clock, signal } = this.#options;
    if (this.#codes === MOST_CODES) {
      this.#fail("Three codes have expired. Try again when the phone is at hand.");
      return null;
    }
    this.#codes += 1;
    try {
      const api = new WeChatApi({ baseUrl: loginUrl, clock });
      const { qrcode, qrcode_img_content } = await api.post(
        "ilink/bot/get_bot_qrcode?bot_type=3",
        { local_token_list: knownTokens.slice(0, 10) },
        codeSchema,
        { timeoutMs: CALL_MS, signal },
      );
      this.#shownAt = clock.now();
      this.#view = {
        kind: "code",
        text: qrcode_img_content,
        number: this.#codes,
        of: MOST_CODES,
        expiresInMs: CODE_MS,
      };
      return qrcode;
    } catch (error) {
      const late = error instanceof PollTimeout;
      this.#fail(late ? "WeChat does not answer." : failureOf(error).message);
      return null;
    }
  }

  #answered(): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        this.#options.signal.removeEventListener("abort", go);
        resolve();
      };
      this.#askAgain = go;
      this.#options.signal.addEventListener("abort", go, { once: true });
    });
  }

  #fail(message: string): void {
    this.#view = { kind: "failed", message };
  }
}
