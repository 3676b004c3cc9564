import pg from 'pg';

interface Wire {
  on(event: 'copyData', heard: (message: { chunk: Buffer }) => void): void;
  once(event: 'replicationStart', heard: () => void): void;
  sendCopyFromChunk(chunk: Buffer): void;
  stream: { destroy(): void };
}

/** `w` carries a piece of the log and its start position. Any other message asks for a status. */
const LOG = 0x77;
const LOG_HEADER_BYTES = 25;
const STATUS_BYTES = 34;

/**
 * Follows a server as a standby does, over the replication protocol. Takes the log of transactions and confirms at once that it
 * is written. Returns a function that breaks the connection abruptly.
 * https://www.postgresql.org/docs/current/protocol-replication.html
 */
export async function followAs(name: string, url: string): Promise<() => void> {
  const options = { connectionString: url, application_name: name, replication: 'true' };
  const client = new pg.Client(options);
  client.on('error', () => undefined);
  await client.connect();
  const wire = (client as unknown as { connection: Wire }).connection;
  const { rows } = await client.query<{ xlogpos: string }>('IDENTIFY_SYSTEM');
  let reached = positionOf(rows[0]?.xlogpos ?? '');
  const report = () => wire.sendCopyFromChunk(status(reached));
  wire.on('copyData', ({ chunk }) => {
    if (chunk[0] === LOG) reached = chunk.readBigUInt64BE(1) + BigInt(chunk.length - LOG_HEADER_BYTES);
    report();
  });
  const started = new Promise<void>((done) => wire.once('replicationStart', done));
  client.query(`START_REPLICATION PHYSICAL ${rows[0]?.xlogpos}`).catch(() => undefined);
  await started;
  report();
  return () => wire.stream.destroy();
}

/** `0/1A2B3C`: two halves in hexadecimal digits. */
function positionOf(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** Reports the position as written, flushed and applied. */
function status(position: bigint): Buffer {
  const message = Buffer.alloc(STATUS_BYTES);
  message.write('r');
  for (const at of [1, 9, 17]) message.writeBigUInt64BE(position, at);
  return message;
}
