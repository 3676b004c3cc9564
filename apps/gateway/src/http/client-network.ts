import { isIPv6 } from 'node:net';

/** Leading groups, out of eight, that a provider assigns to one customer. The customer chooses the rest. */
const NETWORK_GROUPS = 4;

/** The part of an address that a client cannot change at will: an IPv4 address or an IPv6 network. */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = '', tail] = address.split('::', 2);
  const first = head.split(':').filter(Boolean);
  const last = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  const groups = [...first, ...(tail === undefined ? [] : zeros), ...last];
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
