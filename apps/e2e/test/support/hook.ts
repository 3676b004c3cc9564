import { afterAll, beforeAll } from '@jest/globals';
import { type RecordedRequest, type RecordingServer, recordingServer, until } from '@weir/testing';

/** A destination server for one test file. Use it inside tests and hooks. */
export function useHook(): RecordingServer {
  let server: RecordingServer | undefined;
  beforeAll(async () => {
    server = await recordingServer();
  });
  afterAll(() => server?.close());
  return new Proxy({} as RecordingServer, {
    get: (_, key) => {
      if (!server) throw new Error('the hook is there once beforeAll has run');
      return Reflect.get(server, key);
    },
  });
}

/** Events that arrived at `path`, in order. */
export function eventsAt(hook: RecordingServer, path: string): Record<string, unknown>[] {
  return hook.requests.filter((one) => one.path === path).map(({ json }) => json as Record<string, unknown>);
}

/** Waits for the first event at `path` that has this message id. */
export function delivered(hook: RecordingServer, path: string, messageId: string) {
  const find = ({ path: at, json }: RecordedRequest) =>
    at === path && (json as { messageId?: string } | undefined)?.messageId === messageId;
  const probe = () => hook.requests.find(find);
  return until(`event ${messageId} at ${path}`, probe).then((request) => ({
    ...request,
    json: request.json as Record<string, unknown>,
  }));
}
