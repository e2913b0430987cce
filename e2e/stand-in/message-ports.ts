import { EventEmitter } from "node:events";
import { decodeValue, encodeValue } from "./wire.ts";

/** How a port reaches the page that holds its other end. */
export interface PortCarrier {
  post(port: number, data: unknown): void;
  close(port: number): void;
}

let lastId = 0;

/** Electron's `MessagePortMain`: messages wait until `start()`, and until the other end has been handed to a page. */
export class MessagePortMain extends EventEmitter {
  readonly id = ++lastId;
  /** The end that is given away. */
  partner: MessagePortMain | undefined;
  #carrier: PortCarrier | undefined;
  #outgoing: unknown[] = [];
  #incoming: unknown[] = [];
  #started = false;
  #open = true;

  postMessage(message: unknown, transfer: unknown[] = []): void {
    if (transfer.length > 0) throw new Error("The stand-in does not transfer ports through ports.");
    if (!this.#open) return;
    const data = encodeValue(message);
    if (this.#carrier) this.#carrier.post(this.id, data);
    else this.#outgoing.push(data);
  }

  start(): void {
    this.#started = true;
    for (const data of this.#incoming.splice(0)) this.#deliver(data);
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#carrier?.close(this.id);
  }

  /** The partner has gone to a page; from now on the carrier knows the way there. */
  carry(carrier: PortCarrier): void {
    this.#carrier = carrier;
    for (const data of this.#outgoing.splice(0)) carrier.post(this.id, data);
  }

  receive(data: unknown): void {
    if (this.#started) this.#deliver(data);
    else this.#incoming.push(data);
  }

  /** The page closed its end, or is gone. */
  disconnected(): void {
    if (!this.#open) return;
    this.#open = false;
    this.emit("close");
  }

  #deliver(data: unknown): void {
    if (this.#open) this.emit("message", { data: decodeValue(data), ports: [] });
  }
}

export class MessageChannelMain {
  readonly port1 = new MessagePortMain();
  readonly port2 = new MessagePortMain();

  constructor() {
    this.port1.partner = this.port2;
    this.port2.partner = this.port1;
  }
}
