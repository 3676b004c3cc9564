import type { Duplex } from 'node:stream';

/** Looks at what a server sent. Returns an error to end the connection. */
export type Check = (chunk: Buffer) => Error | undefined;

/**
 * Ends the connection where a client library would end the process. Libraries parse in listeners, and nobody catches what a listener
 * throws: an answer of four bytes would stop the deliveries of every workspace.
 */
export function shielded<T extends Duplex>(stream: T, broken: (error: Error) => void, ...checks: Check[]): T {
  const emit = stream.emit.bind(stream) as (event: string, ...values: unknown[]) => boolean;
  const end = (error: Error): boolean => {
    if (!stream.destroyed) broken(error);
    stream.destroy(error);
    return true;
  };
  stream.emit = (event: string, ...values: unknown[]) => {
    const refused = event === 'data' && checks.map((check) => check(values[0] as Buffer)).find(Boolean);
    if (refused) return end(refused);
    try {
      return emit(event, ...values);
    } catch (cause) {
      return end(new Error('the server sent what cannot be read', { cause }));
    }
  };
  return stream;
}
