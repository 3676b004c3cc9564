import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import Provider from 'oidc-provider';

/** People of the provider, and their groups. */
type People = Readonly<Record<string, readonly string[]>>;

export const CLIENT = { id: 'weir', secret: 'secret-of-the-client' };
const SCOPE = 'openid email profile';

/** A real OpenID Connect provider. It signs in every visitor as `person`, without a form. */
export async function startIdentityProvider(people: People, callback: string) {
  let person = '';
  let provider: Provider | undefined;
  const signIn = async (request: IncomingMessage, response: ServerResponse) =>
    provider?.interactionFinished(request, response, { login: { accountId: person } });
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/interaction/')) void signIn(request, response);
    else void provider?.callback()(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // It warns that this is not a place for a production system.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  provider = new Provider(issuer, {
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [callback] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
    cookies: { keys: ['key of this test'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, email: `${accountId}@example.com`, groups: people[accountId] }),
    }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: CLIENT.id, accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope(SCOPE);
      await grant.save();
      return grant;
    },
  });
  return {
    issuer,
    become: (name: string) => {
      person = name;
    },
    stop: () => new Promise((done) => server.close(done)),
  };
}
