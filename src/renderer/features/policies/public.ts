/** What other features may use of `policies`. */
export { WhyCalled } from "./why-called.tsx";
