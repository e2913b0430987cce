import type { SignInWay } from "../../../contract/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { signInByBrowser } from "./browser.ts";
import { signInByDevice } from "./device.ts";
import { signInFailure } from "./failure.ts";
import { signInForItself } from "./for-itself.ts";
import { findProvider } from "./provider.ts";
import type { Grant, SignIn, SignInRequest, SignsIn } from "./types.ts";

/** Signs people in at real providers. Any number at once; each has a listener of its own. */
export class SignIns implements SignsIn {
  readonly #clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /**
   * The ways to sign in that the plugin allows and the provider supports, best first. @throws PatchbayError
   * PROVIDER_UNREACHABLE, PROVIDER_FAILED
   */
  async ways(request: SignInRequest, signal: AbortSignal): Promise<SignInWay[]> {
    const { server } = await findProvider(request, signal);
    const offered: SignInWay[] = [];
    if (server.authorization_endpoint) offered.push("browser");
    if (server.device_authorization_endpoint) offered.push("device");
    return (request.ways ?? (["browser", "device"] as const)).filter((way) => offered.includes(way));
  }

  async start(request: SignInRequest, way: SignInWay, signal: AbortSignal): Promise<SignIn> {
    const provider = await findProvider(request, signal);
    if (way === "device") return signInByDevice(request, provider, this.#clock, signal);
    return signInByBrowser(request, provider, this.#clock);
  }

  /** @throws PatchbayError SIGN_IN_FAILED, PROVIDER_UNREACHABLE, PROVIDER_FAILED */
  async forItself(request: SignInRequest, signal: AbortSignal): Promise<Grant> {
    const provider = await findProvider(request, signal);
    try {
      return await signInForItself(provider, request, this.#clock.now(), signal);
    } catch (error) {
      signal.throwIfAborted();
      throw signInFailure(error, provider.name);
    }
  }
}
