/** Inject token of the one way out (`Outbound` of @weir/destinations, an `Egress`). */
export const OUTBOUND = Symbol('OUTBOUND');
