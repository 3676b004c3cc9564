import { createHash } from 'node:crypto';

/** Namespace of event model ids. Never change it, because ids are derived from it. */
const MODEL_NAMESPACE = '3f1f9c6e-0b0a-4d0c-9a53-5f0f4a1f7d52';

/** RFC 9562 version 5 (name-based), so that every process gives a model or version the same id. */
export function uuidV5(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export const eventIdOf = (writeKey: string, eventType: string, eventIdentifier: string) =>
  uuidV5(MODEL_NAMESPACE, JSON.stringify([writeKey, eventType, eventIdentifier]));

/** @param shapeHash of {@link shapeOf} */
export const versionIdOf = (eventId: string, shapeHash: string) => uuidV5(eventId, shapeHash);
