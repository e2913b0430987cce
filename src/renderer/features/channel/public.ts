/** What other features may use of `channel`. */
export { PeopleOffer } from "./people-offer.tsx";
export { TestOffer } from "./test-offer.tsx";
