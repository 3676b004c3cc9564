import { sharedStack } from '@weir/local';
import { type Api, api, type RequestOptions } from '@weir/testing';
import { made, nobody } from './workspace.js';

/** A session of the console that signed in with this token, as its page would use it. Headers may name a browser. */
export async function sessionOf(token: string, headers: Record<string, string> = {}): Promise<Api> {
  const answer = await nobody().post('/console/session', { token }, { headers: { ...headers, origin: origin() } });
  made(answer, 201);
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';', 1);
  const client = api(sharedStack(), 'nobody');
  const within = ({ headers: own, ...rest }: RequestOptions = {}) => ({
    ...rest,
    headers: { cookie, origin: origin(), ...own },
  });
  return {
    get: (path, options) => client.get(path, within(options)),
    post: (path, body, options) => client.post(path, body, within(options)),
    put: (path, body, options) => client.put(path, body, within(options)),
    patch: (path, body, options) => client.patch(path, body, within(options)),
    delete: (path, options) => client.delete(path, within(options)),
  };
}

const origin = () => String(sharedStack().urls[0]);
