/** What other features may use of `channel`. */
export { TestOffer } from "./test-offer.tsx";
