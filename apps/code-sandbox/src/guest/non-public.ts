import { parseIpv6 } from './web/url-host.js';

/** IPv4 blocks outside the public network, from IANA's special-purpose registry, and Azure's metadata service. */
const CLOSED_V4: readonly [start: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** A name that means the own machine everywhere (RFC 6761). */
const LOCALHOST = /(^|\.)localhost\.?$/;

/**
 * Words the refusal of a URL's host that is not public as written. Returns undefined for other names and public addresses. The
 * fetcher is the guard, because it checks every address that it connects to, and it has the same words.
 */
export function refusalOfHost(hostname: string): string | undefined {
  const address = nonPublicAddress(hostname);
  if (address !== undefined) return `blocked request to non-public address: ${address}`;
  return LOCALHOST.test(hostname) ? `cannot use 127.0.0.1 as IP address for ${hostname}` : undefined;
}

function nonPublicAddress(hostname: string): string | undefined {
  if (hostname.startsWith('[')) {
    const address = hostname.slice(1, -1);
    return isGlobalV6(parseIpv6(address) ?? []) ? undefined : address;
  }
  const isV4 = /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
  return isV4 && CLOSED_V4.some(([start, bits]) => isWithin(hostname, start, bits)) ? hostname : undefined;
}

const IPV4_NUMBER = /^(0|[1-9]\d{0,2})$/;

/** Whether a value is the text of an address. Unlike the host of a URL, it may not be shortened. */
export function isAddress(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (value.includes(':')) return parseIpv6(value) !== undefined;
  const numbers = value.split('.');
  return numbers.length === 4 && numbers.every((number) => IPV4_NUMBER.test(number) && Number(number) < 256);
}

const numberOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

function isWithin(address: string, start: string, bits: number): boolean {
  const size = 2 ** (32 - bits);
  return Math.floor(numberOf(address) / size) === Math.floor(numberOf(start) / size);
}

/** Global unicast (2000::/3), except the blocks for protocols, documentation, 6to4 and AS112. */
function isGlobalV6([first = 0, second = 0, third = 0]: readonly number[]): boolean {
  if (first < 0x2000 || first > 0x3fff || first === 0x2002) return false;
  if (first === 0x2620) return second !== 0x4f || third !== 0x8000;
  if (first === 0x3fff) return second >= 0x1000;
  return first !== 0x2001 || (second >= 0x200 && second !== 0xdb8);
}
