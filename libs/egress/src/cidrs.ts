import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Range } from './address.js';

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
