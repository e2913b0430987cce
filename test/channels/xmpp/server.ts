/** A real XMPP server with a folder and ports of its own, whose accounts have the password `secret-of-<account>`. */
export interface XmppServer {
  readonly port: number;
  setPassword(account: string, password: string): Promise<void>;
  /** Ends the server and starts it again with what it has on its disk: rooms that are not persistent are gone. */
  restart(): Promise<void>;
  close(): Promise<void>;
}
