import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Range = [Address, number];

/** All of IPv6 that is assigned for global unicast (RFC 4291); everything else is refused without being listed. */
const GLOBAL_UNICAST_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** An address in its canonical text form, as name servers answer it; undefined for anything else (`0x7f.1`, `10.1`, names). */
export function parseAddress(text: string): Address | undefined {
  return isIP(text) === 0 ? undefined : ipaddr.parse(text);
}

/**
 * Whether the address belongs to the public internet. Default-deny: private, shared, loopback, link-local, multicast,
 * documentation, benchmarking and reserved ranges are not public, nor is any IPv6 form that carries an IPv4 address
 * (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || (address.match(GLOBAL_UNICAST_V6) && !address.zoneId);
}

/** `::ffff:10.0.0.1` connects to `10.0.0.1`: what is allowed or refused for the one holds for the other. */
export function unmapped(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

export function isInRange(address: Address, ranges: readonly Range[]): boolean {
  return ranges.some(([network, bits]) => address.kind() === network.kind() && address.match([network, bits]));
}

/** The addresses by which a machine reaches itself whatever its interfaces are. `0.0.0.0` connects to loopback on Linux. */
export function isOwnMachine(address: Address): boolean {
  return ['loopback', 'unspecified'].includes(address.range());
}
