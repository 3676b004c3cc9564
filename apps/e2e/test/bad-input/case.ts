import { gzipSync } from 'node:zlib';

/** The owner of the credentials of a request, or a literal `Authorization` header. */
export type As = 'admin' | 'writer' | 'reader' | 'operator' | 'source' | 'disabled' | 'nobody' | `${string} ${string}`;

/** Objects are sent as JSON, text and bytes unchanged. Names in braces are replaced by ids from `places.ts`. */
export type Body = object | string | Buffer | undefined;

/** The sender, request line and body, then the exact status and message of the answer. Further headers come last. */
export type Case = [as: As, line: string, body: Body, status: number, says: string, ...headers: string[]];

export const text = (length: number, of = 'x'): string => of.repeat(length);
export const events = (count: number): object[] => Array.from({ length: count }, () => ({ userId: 'u' }));
export const nested = (levels: number): string => `{"userId":"u","a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
export const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');
export const zipped = (of: string | Buffer): Buffer => gzipSync(of);
export const basic = (credentials: string): `${string} ${string}` =>
  `Basic ${Buffer.from(credentials).toString('base64')}`;
