/** What this plugin uses of @xmpp/client 0.14.0, which has no types of its own. */
declare module "@xmpp/client" {
  export interface Element {
    name: string;
    attrs: Record<string, string | undefined>;
    is(name: string, xmlns?: string): boolean;
    getNS(): string | undefined;
    getChild(name: string, xmlns?: string): Element | undefined;
    getChildren(name: string, xmlns?: string): Element[];
    getChildText(name: string, xmlns?: string): string | null;
    getChildElements(): Element[];
    text(): string;
    append(...nodes: (Element | string)[]): void;
    toString(): string;
  }

  export interface Jid {
    toString(): string;
    bare(): Jid;
    local: string;
    domain: string;
    resource: string;
  }

  interface Events {
    online: [Jid];
    offline: [];
    connect: [];
    disconnect: [{ clean: boolean; reason?: unknown }];
    error: [Error & { condition?: string }];
    stanza: [Element];
    nonza: [Element];
  }

  export interface Client {
    status: string;
    jid: Jid | null;
    socket: { destroy?(): void; setNoDelay?(on: boolean): void } | null;
    start(): Promise<Jid>;
    stop(): Promise<unknown>;
    send(element: Element): Promise<void>;
    isSecure(): boolean;
    on<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): void;
    /** What reads the stream; null before it begins and after its end. */
    parser: object | null;
    /** Called with each piece of the stream, as its socket gives it. */
    _onData(data: Buffer | string): void;
    /** Called with each element of the stream, before anything else handles it. */
    _onElement(element: Element): void;
    reconnect: { stop(): void; reconnect(): Promise<void> };
    iqCaller: {
      /** Questions that wait for their answers, by id. */
      handlers: ReadonlyMap<string, unknown>;
      request(stanza: Element, timeoutMs?: number): Promise<Element>;
      get(element: Element, to?: string, timeoutMs?: number): Promise<Element | undefined>;
    };
    iqCallee: {
      /** Answers questions of others; what the handler gives is in the answer. */
      get(xmlns: string, name: string, handler: (ctx: { element: Element }) => Element): void;
    };
    streamManagement: {
      enabled: boolean;
      /** Stanzas that came in. */
      inbound: number;
      /** Stanzas that were written and are not acknowledged. */
      outbound_q: readonly { stanza: Element }[];
      /** Milliseconds from a stanza to the request for its acknowledgement. */
      requestAckDebounce: number;
      on(event: "ack" | "fail", listener: (stanza: Element) => void): void;
      on(event: "resumed", listener: () => void): void;
    };
  }

  export function client(options: {
    service: string;
    domain: string;
    username: string;
    password: string;
    resource?: string;
    timeout?: number;
  }): Client;

  export function xml(
    name: string,
    attrs?: Record<string, string | number | undefined>,
    ...children: (Element | string | undefined | false | (Element | string)[])[]
  ): Element;

  export function jid(address: string): Jid;
}
