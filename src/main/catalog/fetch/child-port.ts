import type { FromChild, ToChild } from "./protocol.ts";

/** How this process talks to the app: an Electron utility process or a fork of Node. */
export interface ChildPort {
  post(message: FromChild): void;
  onMessage(listener: (message: ToChild) => void): void;
}

interface UtilityPort {
  postMessage(message: unknown): void;
  on(event: "message", listener: (event: { data: unknown }) => void): void;
}

export function openChildPort(): ChildPort {
  const utility = (process as NodeJS.Process & { parentPort?: UtilityPort }).parentPort;
  if (utility) {
    return {
      post: (message) => utility.postMessage(message),
      onMessage: (listener) => utility.on("message", (event) => listener(event.data as ToChild)),
    };
  }
  process.on("disconnect", endWithAll);
  return {
    post: (message) => {
      process.send?.(message);
    },
    onMessage: (listener) => process.on("message", (message) => listener(message as ToChild)),
  };
}

/** Ends this process and everything that it started. Called when the app is gone. */
function endWithAll(): void {
  try {
    if (process.platform !== "win32") process.kill(-process.pid, "SIGKILL");
  } finally {
    process.exit(0);
  }
}
