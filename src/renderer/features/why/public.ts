/** What other features may use of `why`. */
export { WhyLink } from "./why-link.tsx";
