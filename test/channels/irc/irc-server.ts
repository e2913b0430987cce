/** A real IRC server with a folder and a port of its own, and services linked to it. */
export interface IrcServer {
  /** For people. */
  readonly port: number;
  /** @param password what the server asks of everybody; empty: nothing. Takes effect with the next start */
  configure(password: string): Promise<void>;
  start(): Promise<void>;
  /** Ends the server and starts it again. Services link again by themselves, soon after. */
  restart(): Promise<void>;
  readonly services: { start(): Promise<void>; stop(): Promise<void> };
  close(): Promise<void>;
}
