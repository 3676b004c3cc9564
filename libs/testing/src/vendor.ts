import { type RecordingServer, recordingServer } from './recording-server.js';

interface Wanted {
  url: string;
  headers?: Readonly<Record<string, string>>;
}

/** A class whose requests leave Weir, such as `Egress`. */
interface WayOut<Request extends Wanted, Response> {
  prototype: { request(request: Request): Response };
}

/** A server that stands in for every vendor. */
export interface Vendor extends RecordingServer {
  /** Answers with this status, and with all that a request holds. */
  echo(status: number): void;
}

/** Leads every request of a way out to one server. The rest of the way out is real. `close` gives it back. */
export async function vendorBehind<Request extends Wanted, Response>({
  prototype,
}: WayOut<Request, Response>): Promise<Vendor> {
  const server = await recordingServer();
  const { request } = prototype;
  prototype.request = function (wanted) {
    const { pathname, search } = new URL(wanted.url);
    const { host: _, ...headers } = wanted.headers ?? {};
    return request.call(this, { ...wanted, headers, url: `${server.url}${pathname}${search}` });
  };
  return {
    ...server,
    echo: (status) =>
      server.answer(({ method, path, headers, body }) => {
        const text = JSON.stringify({ method, path, headers, body });
        const query = encodeURIComponent(text);
        return { status, body: { message: `cannot do this: ${text}`, method, path, headers, body, query } };
      }),
    close: () => {
      prototype.request = request;
      return server.close();
    },
  };
}
