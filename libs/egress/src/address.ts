import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Range = [Address, number];

/** All of IPv6 that is assigned for global unicast (RFC 4291); everything else is refused without being listed. */
const GLOBAL_UNICAST_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Where clouds answer a machine about itself, credentials included. Most are not public anyway; Azure's 168.63.129.16 is,
 * and any of them may lie in a range that an operator opens for something else.
 */
const METADATA_V4 = [
  '169.254.169.254', // AWS, Google, Azure, Oracle, DigitalOcean, IBM, OpenStack and most others
  '169.254.170.2', // AWS: credentials of an ECS task
  '169.254.170.23', // AWS: credentials of an EKS pod
  '168.63.129.16', // Azure: the platform's agent
  '100.100.100.200', // Alibaba
  '192.0.0.192', // Oracle
  '169.254.0.23', // Tencent
  '169.254.42.42', // Scaleway
];
const METADATA_V6 = [
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS: credentials of an EKS pod
  'fd20:ce::254', // Google
  'fd00:c1::a9fe:a9fe', // Oracle
  'fe80::a9fe:a9fe', // OpenStack
  'fd00:42::42', // Scaleway
];
const METADATA = new Set([...METADATA_V4, ...METADATA_V6].map((text) => ipaddr.parse(text).toNormalizedString()));

/** An address in its canonical text form, as name servers answer it; undefined for anything else (`0x7f.1`, `10.1`, names). */
export function parseAddress(text: string): Address | undefined {
  return isIP(text) === 0 ? undefined : ipaddr.parse(text);
}

/**
 * Whether a cloud's metadata service answers there. A translator (NAT64 and its like, with a prefix of an operator's own) takes
 * the IPv4 address from the last 32 bits, so those count, whatever stands before them.
 */
export function isMetadata(address: Address): boolean {
  if (METADATA.has(withoutZone(address))) return true;
  if (address instanceof ipaddr.IPv4) return false;
  return METADATA.has(new ipaddr.IPv4(address.toByteArray().slice(-4)).toNormalizedString());
}

const withoutZone = (address: Address): string => address.toNormalizedString().split('%')[0] ?? '';

/**
 * Whether the address belongs to the public internet. Default-deny: private, shared, loopback, link-local, multicast,
 * documentation, benchmarking and reserved ranges are not public, nor is any IPv6 form that carries an IPv4 address
 * (mapped, NAT64, 6to4, Teredo), nor a cloud's metadata service.
 */
export function isPublicAddress(address: Address): boolean {
  if (address.range() !== 'unicast' || isMetadata(address)) return false;
  // linear: the match of a range, not of a pattern.
  return address instanceof ipaddr.IPv4 || (address.match(GLOBAL_UNICAST_V6) && !address.zoneId);
}

/** `::ffff:10.0.0.1` connects to `10.0.0.1`: what is allowed or refused for the one holds for the other. */
export function unmapped(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** A metadata service is in a range only when the range is that one address: nobody opens it along with something else. */
export function isInRange(address: Address, ranges: readonly Range[]): boolean {
  const candidates = isMetadata(address) ? ranges.filter(isSingle) : ranges;
  // linear: the match of a range, not of a pattern.
  return candidates.some(([network, bits]) => address.kind() === network.kind() && address.match([network, bits]));
}

const isSingle = ([network, bits]: Range): boolean => bits === network.toByteArray().length * 8;

/** The addresses by which a machine reaches itself whatever its interfaces are. `0.0.0.0` connects to loopback on Linux. */
export function isOwnMachine(address: Address): boolean {
  return ['loopback', 'unspecified'].includes(address.range());
}
