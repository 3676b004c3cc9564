import { pipeline, type Readable, Transform } from 'node:stream';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { RESPONSE_BYTES_MAX } from '@weir/contracts';

/** A list names up to 1,000 keys of up to 1,024 bytes, and escapes some of them. */
export const LIST_BYTES_MAX = 4_194_304;

export class AnswerTooLong extends Error {
  readonly reason: string;

  constructor(bytesMax: number) {
    const reason = `The object store answered with more than ${bytesMax} bytes`;
    super(reason);
    // The client library adds to the message.
    this.reason = reason;
  }
}

type Call = Parameters<NodeHttpHandler['handle']>;

/** The client library keeps an answer in memory, whatever its length. Only an object is read piece by piece. */
export class BoundedHandler extends NodeHttpHandler {
  override async handle(...call: Call): ReturnType<NodeHttpHandler['handle']> {
    const { response } = await super.handle(...call);
    const { query } = call[0];
    const isObject = query['x-id'] === 'GetObject' && response.statusCode < 300;
    const bytesMax = 'list-type' in query ? LIST_BYTES_MAX : RESPONSE_BYTES_MAX;
    if (!isObject) response.body = bounded(response.body, bytesMax);
    return { response };
  }
}

function bounded(body: Readable, bytesMax: number): Readable {
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > bytesMax ? new AnswerTooLong(bytesMax) : null, chunk);
    },
  });
  // The reader of the stream gets the error.
  return pipeline(body, counted, () => undefined);
}
