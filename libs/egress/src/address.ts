import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Range = [Address, number];

/** All IPv6 space assigned for global unicast (RFC 4291). Everything else is refused without a list. */
const GLOBAL_UNICAST_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Addresses at which clouds tell a machine about itself, including credentials. Most are not public anyway, except Azure's
 * 168.63.129.16. Any of them may also lie in a range that an operator opens for something else.
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

/** Parses an address in canonical text form, as name servers return it. Undefined for anything else (`0x7f.1`, `10.1`, names). */
export function parseAddress(text: string): Address | undefined {
  return isIP(text) === 0 ? undefined : ipaddr.parse(text);
}

/**
 * Whether a cloud's metadata service answers at this address. A translator, such as NAT64 with an operator's own prefix, takes
 * the IPv4 address from the last 32 bits. So these bits count, whatever precedes them.
 */
export function isMetadata(address: Address): boolean {
  if (METADATA.has(withoutZone(address))) return true;
  if (address instanceof ipaddr.IPv4) return false;
  return METADATA.has(new ipaddr.IPv4(address.toByteArray().slice(-4)).toNormalizedString());
}

const withoutZone = (address: Address): string => address.toNormalizedString().split('%')[0] ?? '';

/**
 * Whether the address belongs to the public internet. Denies by default:
 * - private, shared, loopback, link-local, multicast, documentation, benchmarking and reserved ranges
 * - any IPv6 form that carries an IPv4 address (mapped, NAT64, 6to4, Teredo)
 * - a cloud's metadata service
 */
export function isPublicAddress(address: Address): boolean {
  if (address.range() !== 'unicast' || isMetadata(address)) return false;
  // linear: matches an address range and no pattern.
  return address instanceof ipaddr.IPv4 || (address.match(GLOBAL_UNICAST_V6) && !address.zoneId);
}

/** Connecting to `::ffff:10.0.0.1` reaches `10.0.0.1`, so the same rules apply to both. */
export function unmapped(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Whether a range contains the address. A metadata service needs its own range, so that nobody opens it by accident. */
export function isInRange(address: Address, ranges: readonly Range[]): boolean {
  const candidates = isMetadata(address) ? ranges.filter(isSingle) : ranges;
  // linear: matches an address range and no pattern.
  return candidates.some(([network, bits]) => address.kind() === network.kind() && address.match([network, bits]));
}

const isSingle = ([network, bits]: Range): boolean => bits === network.toByteArray().length * 8;

/** Addresses by which a machine always reaches itself. On Linux, `0.0.0.0` connects to loopback. */
export function isOwnMachine(address: Address): boolean {
  return ['loopback', 'unspecified'].includes(address.range());
}

/**
 * Parses `EGRESS_ALLOW_CIDRS`: `127.0.0.0/8, fd00::/8, 10.1.2.3`. An empty text is an empty list. Throws an error that names the
 * first invalid entry.
 */
export function parseCidrs(text: string): string[] {
  const cidrs = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const cidr of cidrs) parseRange(cidr);
  return cidrs;
}

export function parseRange(cidr: string): Range {
  const [network = '', bits, ...rest] = cidr.split('/');
  const family = isIP(network);
  const longest = family === 4 ? 32 : 128;
  const length = bits === undefined ? longest : Number(bits);
  const isLength = bits === undefined || /^\d{1,3}$/.test(bits);
  if (family === 0 || rest.length > 0 || !isLength || length > longest) throw notARange(cidr);
  const address = ipaddr.parse(network);
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) throw notARange(cidr);
  return [address, length];
}

const notARange = (cidr: string) =>
  new TypeError(`"${cidr}" is not an address range; write it like 10.0.0.0/8 or fd00::/8`);
