import { isIP } from 'node:net';

/** The origin of an event: the first address of `X-Forwarded-For`, or the connection's address (wire-facts 6.6). */
export function clientAddress(forwardedFor: string | string[] | undefined, remote: string | undefined): string {
  const [first = ''] = String(forwardedFor ?? '').split(',', 1);
  const forwarded = first.trim();
  if (isIP(forwarded)) return forwarded;
  // Node reports IPv4 clients of a dual-stack listener as ::ffff:10.0.0.1.
  return (remote ?? '').replace(/^::ffff:(\d+\.)/, '$1');
}
