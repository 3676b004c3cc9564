import { beforeAll } from '@jest/globals';
import { AppError, type Call, type ReplyOf, type RequestOf } from '@weir/contracts';
import type { TestNats } from '@weir/testing';

/** Answers one call as a service would. `throw new AppError(...)` refuses. `requests` records the requests. */
export interface StubService<C extends Call> {
  requests: RequestOf<C>[];
  /** Takes the service away. Resolves when the broker knows that nobody answers. */
  leave(): Promise<void>;
  /** Brings it back. Resolves when the broker knows of it. */
  join(): Promise<void>;
}

/** Stands in for the service behind a call, so that a test of the gateway needs no other process. */
export function useStub<C extends Call>(
  nats: TestNats,
  call: C,
  answer: (request: RequestOf<C>) => ReplyOf<C>,
): StubService<C> {
  const requests: RequestOf<C>[] = [];
  let leave = async () => {};
  const join = async () => {
    const subscription = nats.connection.subscribe(call.subject, {
      callback: (_error, message) => {
        const { data } = message.json<{ data: unknown }>();
        message.respond(JSON.stringify({ ...packetOf(call, data), isDisposed: true }));
      },
    });
    leave = async () => {
      subscription.unsubscribe();
      await nats.connection.flush();
    };
    await nats.connection.flush();
  };

  function packetOf(of: C, data: unknown): { response: unknown } | { err: unknown } {
    try {
      const request = of.request.parse(data) as RequestOf<C>;
      requests.push(request);
      return { response: answer(request) };
    } catch (error) {
      return { err: error instanceof AppError ? error.toBody() : { code: 'internal', message: String(error) } };
    }
  }

  beforeAll(join);
  return { requests, join, leave: () => leave() };
}
