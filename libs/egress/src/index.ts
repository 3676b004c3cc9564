export { parseCidrs } from './cidrs.js';
export { Egress, type EgressOptions, type EgressRequest, type EgressResponse } from './egress.js';
export { EgressByOwner } from './egress-by-owner.js';
export { EGRESS_ERROR_CODES, EgressError, type EgressErrorCode, isEgressError } from './errors.js';
export type { Lookup, ResolvedAddress } from './guard.js';
export { NameResolver, parseNameServers } from './names.js';
export type { TlsChoice } from './socket.js';
