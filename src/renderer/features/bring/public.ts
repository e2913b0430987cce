/** What other features may use of `bring`. */
export { GivenView, useGiven } from "./given-servers.tsx";
