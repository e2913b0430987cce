import { TcpProxy } from "../tcp-proxy.ts";
import { IrcPerson } from "./irc-person.ts";
import { type IrcPlace, type IrcServer, OPERATOR } from "./irc-server.ts";

const NEAR = "irc.test.local";
const FAR = "far.test.local";

/** Two real servers of one network, and the link between them, which can be cut. Services are at the near one. */
export class LinkedServers {
  readonly near: IrcServer;
  readonly far: IrcServer;
  readonly #link: TcpProxy;
  readonly #operators: { near: IrcPerson; far: IrcPerson };

  /** @param open starts a server at a place of the network, with services or without */
  static async open(
    open: (services: boolean, place: IrcPlace) => Promise<IrcServer>,
  ): Promise<LinkedServers> {
    const near = await open(true, { name: NEAR, number: 1, neighbour: { name: FAR, port: 1 } });
    const link = await TcpProxy.open(() => near.linkPort);
    const far = await open(false, { name: FAR, number: 2, neighbour: { name: NEAR, port: link.port } });
    const operators = {
      near: new IrcPerson("operator1", near.port, [], () => {}),
      far: new IrcPerson("operator2", far.port, [], () => {}),
    };
    for (const operator of Object.values(operators)) {
      await operator.connect();
      operator.send(`OPER ${OPERATOR.name} ${OPERATOR.password}`);
      await operator.line(/ 381 /);
    }
    const servers = new LinkedServers(near, far, link, operators);
    await servers.heal();
    return servers;
  }

  private constructor(
    near: IrcServer,
    far: IrcServer,
    link: TcpProxy,
    operators: { near: IrcPerson; far: IrcPerson },
  ) {
    this.near = near;
    this.far = far;
    this.#link = link;
    this.#operators = operators;
  }

  /** Cuts the link; resolves when both sides have noticed. */
  async split(): Promise<void> {
    this.#link.cut();
    const { near, far } = this.#operators;
    await Promise.all([this.#sees(near, FAR, false), this.#sees(far, NEAR, false)]);
  }

  /** Links them again; resolves when both sides know the people of the other. */
  async heal(): Promise<void> {
    const { near, far } = this.#operators;
    far.send(`CONNECT ${NEAR}`);
    await Promise.all([this.#sees(near, FAR, true), this.#sees(far, NEAR, true)]);
    await Promise.all([isThere(near, far.nick), isThere(far, near.nick)]);
  }

  /** Resolves when each side knows what happened on the other until now: what is asked across the link comes after it. */
  async synced(): Promise<void> {
    const { near, far } = this.#operators;
    const from = near.lineCount;
    near.send(`WHOIS ${far.nick} ${far.nick}`);
    await near.line(/ 318 /, from);
  }

  async close(): Promise<void> {
    for (const operator of Object.values(this.#operators)) operator.disconnect();
    await this.#link.close();
    await this.far.close();
    await this.near.close();
  }

  async #sees(operator: IrcPerson, server: string, linked: boolean): Promise<void> {
    for (;;) {
      const from = operator.lineCount;
      operator.send("LINKS");
      await operator.line(/ 365 /, from);
      if (
        operator.linesFrom(from).some((line) => line.includes(` 364 ${operator.nick} ${server} `)) === linked
      )
        return;
      await operator.synced();
    }
  }
}

async function isThere(operator: IrcPerson, nick: string): Promise<void> {
  for (;;) {
    const from = operator.lineCount;
    operator.send(`ISON ${nick}`);
    if ((await operator.line(/ 303 /, from)).includes(`:${nick}`)) return;
  }
}
