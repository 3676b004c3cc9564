import { isIP } from 'node:net';

/** Where the event came from: the first address of `X-Forwarded-For`, else of the connection (wire-facts 6.6). */
export function clientAddress(forwardedFor: string | string[] | undefined, remote: string | undefined): string {
  const [first = ''] = String(forwardedFor ?? '').split(',', 1);
  const forwarded = first.trim();
  if (isIP(forwarded)) return forwarded;
  // Node gives IPv4 clients of a dual-stack listener as ::ffff:10.0.0.1.
  return (remote ?? '').replace(/^::ffff:(\d+\.)/, '$1');
}
