/** Inject token of the one way out, for each workspace its own ({@link EgressByOwner} of @weir/egress). */
export const OUTBOUND = Symbol('OUTBOUND');
