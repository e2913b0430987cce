/** A real IRC server with a folder and a port of its own, and services linked to it. */
export interface IrcServer {
  /** For people. */
  readonly port: number;
  /** For other servers. */
  readonly linkPort: number;
  /** @param password what the server asks of everybody; empty: nothing. Takes effect with the next start */
  configure(password: string): Promise<void>;
  start(): Promise<void>;
  /** Ends the server and starts it again. Services link again by themselves, soon after. */
  restart(): Promise<void>;
  readonly services: { start(): Promise<void>; stop(): Promise<void> };
  close(): Promise<void>;
}

/** Where a server stands in its network. */
export interface IrcPlace {
  name: string;
  /** No other server of the network has the same one. */
  number: 1 | 2;
  /** The server beside it, and the port where it is called when an operator says so. */
  neighbour?: { name: string; port: number };
}

export const alone: IrcPlace = { name: "irc.test.local", number: 1 };

/** Who may link servers on each of them. */
export const OPERATOR = { name: "root", password: "operpass" };
