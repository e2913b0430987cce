/** What this plugin uses of irc-framework 4.14.0, which has no types of its own. */
declare module "irc-framework" {
  export interface IrcLine {
    /** As on the wire: `PRIVMSG`, `433`. */
    command: string;
    params: string[];
    nick: string;
    ident: string;
    hostname: string;
    tags: Record<string, string>;
  }

  export interface MessageEvent {
    from_server: boolean;
    nick: string;
    ident: string;
    hostname: string;
    target: string;
    message: string;
    account?: string;
    tags: Record<string, string>;
  }

  export interface ClientOptions {
    host: string;
    port: number;
    tls: boolean;
    rejectUnauthorized: boolean;
    nick: string;
    username: string;
    gecos: string;
    password?: string;
    /** An empty object stops the server password from being used for SASL. */
    account: { account?: string; password?: string };
    sasl_disconnect_on_fail: boolean;
    auto_reconnect: boolean;
    /** Seconds. */
    ping_interval: number;
    /** Seconds. */
    ping_timeout: number;
    version: string;
  }

  interface Events {
    registered: [{ nick: string }];
    close: [boolean];
    "socket close": [Error | false];
    "sasl failed": [{ reason: string; message?: string }];
    "ping timeout": [];
    "raw socket connected": [import("node:net").Socket];
    privmsg: [MessageEvent];
    action: [MessageEvent];
    notice: [MessageEvent];
    "ctcp request": [{ nick: string; type: string; message: string }];
  }

  export class Client {
    user: { nick: string };
    network: {
      options: Record<string, unknown>;
      cap: { isEnabled(name: string): boolean };
      name: string;
    };
    connection: {
      on(event: "message", listener: (line: IrcLine) => void): void;
      end(): void;
      clearTimers(): void;
      transport?: { disposeSocket(): void };
      removeAllListeners(): void;
    };
    connect(options: ClientOptions): void;
    on<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): void;
    removeAllListeners(): void;
    raw(...words: string[]): void;
    quit(message: string): void;
  }
}
