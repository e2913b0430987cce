type Handler = (request: Request) => Response | Promise<Response>;

const privileged = new Set<string>();
const handlers = new Map<string, Handler>();

export const protocol = {
  registerSchemesAsPrivileged(
    schemes: { scheme: string; privileges?: { standard?: boolean; secure?: boolean } }[],
  ): void {
    for (const { scheme, privileges } of schemes) {
      if (!privileges?.standard || !privileges.secure)
        throw new Error("The stand-in imitates standard, secure schemes only.");
      privileged.add(scheme);
    }
  },
  handle(scheme: string, handler: Handler): void {
    if (!privileged.has(scheme)) throw new Error(`The scheme ${scheme} was not registered as privileged.`);
    handlers.set(scheme, handler);
  },
};

export function registeredSchemes(): Iterable<string> {
  return privileged;
}

/** The app's answer to a request, or undefined when the address is not of one of its schemes. */
export async function answerRequest(request: Request): Promise<Response | undefined> {
  const handler = handlers.get(new URL(request.url).protocol.slice(0, -1));
  return handler && (await handler(request));
}
