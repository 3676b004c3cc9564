export { isPublicAddress, parseAddress, parseCidrs } from './address.js';
export { egressConfig, egressEnv } from './config.js';
export { Egress, EgressByOwner, type EgressOptions } from './egress.js';
export { EGRESS_ERROR_CODES, EgressError, type EgressErrorCode, isEgressError } from './errors.js';
export type { Lookup, ResolvedAddress } from './guard.js';
export { NameResolver, parseNameServers } from './names.js';
export type { EgressRequest, EgressResponse } from './request.js';
export type { TlsChoice } from './socket.js';
