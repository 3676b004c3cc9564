/** Injection token of the only HTTP client, which is separate for each workspace ({@link EgressByOwner} of @weir/egress). */
export const OUTBOUND = Symbol('OUTBOUND');
