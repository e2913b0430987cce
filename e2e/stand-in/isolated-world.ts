import { decodeValue, encodeValue, type FromPage, type ToPage } from "./wire.ts";

export const worldName = "Electron Isolated Context";
export const bindingName = "standInSend";
export const receiverName = "standInReceive";
/** Set in the isolated world before a drop: where the dropped files lie, by their names. */
export const droppedName = "standInDropped";

/** Evaluated in the page's own world before anything else: takes what the preload exposes, then leaves no trace. */
export function mainWorldSource(secret: string): string {
  return `(${receiveExposed.toString()})(${JSON.stringify(secret)});`;
}

/** Evaluated in the isolated world: the sandboxed preload with the little `require("electron")` it may have. */
export function isolatedWorldSource(secret: string, preload: string): string {
  const names = JSON.stringify([secret, bindingName, receiverName, droppedName]);
  return [
    "(() => {",
    encodeValue.toString(),
    decodeValue.toString(),
    `const require = (${isolatedRequire.toString()})(${names}, encodeValue, decodeValue);`,
    "if (!require) return;",
    "const module = { exports: {} };",
    `(function (require, module, exports) {\n${preload}\n})(require.module, module, module.exports);`,
    "require.done();",
    "})();",
  ].join("\n");
}

function receiveExposed(secret: string): void {
  if (window !== window.top) return;
  const take = (event: Event) => {
    const { name, value } = JSON.parse((event as CustomEvent<string>).detail);
    Object.defineProperty(window, name, { value, enumerable: true });
  };
  window.addEventListener(secret, take);
  window.addEventListener(`${secret}-done`, () => window.removeEventListener(secret, take), { once: true });
}

function isolatedRequire(
  [secret, binding, receiver, dropped]: [string, string, string, string],
  encode: typeof encodeValue,
  decode: typeof decodeValue,
) {
  if (window !== window.top) return undefined;
  const world = globalThis as unknown as Record<string, (value: unknown) => void>;
  const webUtils = {
    getPathForFile: (file: File) =>
      (globalThis as unknown as Record<string, Record<string, string>>)[dropped]?.[file.name] ?? "",
  };
  const send = (message: FromPage) => world[binding]?.(JSON.stringify(message));
  const ports = new Map<number, MessagePort>();
  const listeners = new Map<string, ((event: unknown, ...args: unknown[]) => void)[]>();

  function openPort(id: number): MessagePort {
    const { port1, port2 } = new MessageChannel();
    ports.set(id, port1);
    port1.onmessage = (event) => send({ kind: "port", port: id, data: encode(event.data) });
    port1.addEventListener("close", () => {
      if (ports.delete(id)) send({ kind: "port-closed", port: id });
    });
    return port2;
  }

  function receive(message: ToPage): void {
    if (message.kind === "port") ports.get(message.port)?.postMessage(decode(message.data));
    else if (message.kind === "close-port") {
      const port = ports.get(message.port);
      ports.delete(message.port);
      port?.close();
    } else {
      const event = { sender: ipcRenderer, ports: message.ports.map(openPort) };
      const args = message.args.map(decode);
      for (const listener of listeners.get(message.channel) ?? []) listener(event, ...args);
    }
  }
  world[receiver] = (messages) => (messages as ToPage[]).forEach(receive);

  const ipcRenderer = {
    send: (channel: string, ...args: unknown[]) => send({ kind: "ipc", channel, args: args.map(encode) }),
    on(channel: string, listener: (event: unknown, ...args: unknown[]) => void) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      return ipcRenderer;
    },
  };
  const contextBridge = {
    exposeInMainWorld(name: string, value: unknown) {
      const text = JSON.stringify({ name, value });
      if (typeof value === "function" || (typeof value === "object" && value !== null))
        throw new Error("The stand-in's contextBridge exposes plain values only.");
      window.dispatchEvent(new CustomEvent(secret, { detail: text }));
    },
  };
  return {
    module(specifier: string) {
      if (specifier === "electron") return { ipcRenderer, contextBridge, webUtils };
      throw new Error(`module not found: ${specifier}`);
    },
    done: () => window.dispatchEvent(new CustomEvent(`${secret}-done`)),
  };
}
