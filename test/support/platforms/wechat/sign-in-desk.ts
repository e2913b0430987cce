import { randomBytes } from "node:crypto";
import { type BotAccount, newAccount } from "./accounts.ts";

export interface Code {
  qrcode: string;
  status:
    | "wait"
    | "scaned"
    | "need_verifycode"
    | "confirmed"
    | "expired"
    | "verify_code_blocked"
    | "redirected";
  /** The digits that the phone shows, when it shows some. */
  digits: string | null;
  wrongTries: number;
  /** Tokens that the client says it has. */
  known: string[];
}

/** The sign-in of the service: gives out codes, and plays the phone that scans them. */
export class SignInDesk {
  readonly codes: Code[] = [];
  readonly #accounts: BotAccount[];
  /** Resolves at the next change of a code; requests for the status wait for it. */
  #change = Promise.withResolvers<void>();
  /** Another host that the client must ask about a scanned code; null for this one. */
  redirectHost: string | null = null;
  /** Confirms without a token, as a broken service does. */
  givesNoToken = false;

  constructor(accounts: BotAccount[]) {
    this.#accounts = accounts;
  }

  give(known: string[]): { qrcode: string; qrcode_img_content: string } {
    const qrcode = randomBytes(8).toString("hex");
    this.codes.push({ qrcode, status: "wait", digits: null, wrongTries: 0, known });
    return { qrcode, qrcode_img_content: `https://liteapp.weixin.qq.com/q/${qrcode}` };
  }

  get newest(): Code {
    const code = this.codes.at(-1);
    if (!code) throw new Error("No code was asked for.");
    return code;
  }

  scan(digits: string | null = null): void {
    this.newest.digits = digits;
    this.newest.status = digits === null ? "scaned" : "need_verifycode";
    if (this.redirectHost !== null) this.newest.status = "redirected";
    this.#changed();
  }

  confirm(): void {
    this.newest.status = "confirmed";
    this.#changed();
  }

  expire(): void {
    this.newest.status = "expired";
    this.#changed();
  }

  /** What the phone gives up after too many wrong digits. */
  block(): void {
    this.newest.status = "verify_code_blocked";
    this.#changed();
  }

  /** The status of a code. When it has not changed, the answer waits a while for a change. */
  async statusOf(qrcode: string, digits: string | null, gone: AbortSignal, home: string): Promise<object> {
    const code = this.codes.find((one) => one.qrcode === qrcode);
    if (!code) return { status: "expired" };
    if (code.status === "wait") {
      const left = new Promise<void>((resolve) =>
        gone.addEventListener("abort", () => resolve(), { once: true }),
      );
      await Promise.race([this.#change.promise, left]);
    }
    switch (code.status) {
      case "need_verifycode":
        if (digits !== null && digits === code.digits) {
          code.status = "scaned";
          return { status: "scaned" };
        }
        if (digits !== null) code.wrongTries += 1;
        return { status: "need_verifycode" };
      case "redirected":
        code.status = "scaned";
        return { status: "scaned_but_redirect", redirect_host: this.redirectHost };
      case "confirmed":
        return this.#confirmed(code, home);
      default:
        return { status: code.status };
    }
  }

  #confirmed(code: Code, home: string): object {
    const owner = "scanner@im.wechat";
    const known = this.#accounts.find(({ token, stale }) => !stale && code.known.includes(token));
    if (known) return { status: "binded_redirect" };
    if (this.givesNoToken) return { status: "confirmed" };
    const account = newAccount("helper@im.bot", owner);
    this.#accounts.push(account);
    return {
      status: "confirmed",
      bot_token: account.token,
      ilink_bot_id: account.botId,
      baseurl: home,
      ilink_user_id: owner,
    };
  }

  #changed(): void {
    const { resolve } = this.#change;
    this.#change = Promise.withResolvers();
    resolve();
  }
}
