import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@weir/contracts';
import { CONFIG } from '@weir/service-kit';
import * as oidc from 'openid-client';
import type { Config } from '../config.js';
import type { OidcSettings } from './oidc.config.js';
import type { Flow } from './oidc.flow.js';

/** Each call to the provider. A person waits for two or three of them. */
const DEADLINE_S = 5;
const SCOPE = 'openid email profile';

/** The provider's statement about a person. */
export interface Claims {
  email: string;
  groups: unknown;
}

/** The OpenID Connect provider of the operator: authorization code with PKCE, state and nonce (OpenID Connect Core 3.1). */
@Injectable()
export class OidcProvider {
  private discovered: Promise<oidc.Configuration> | undefined;

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'console'>) {}

  get isOn(): boolean {
    return this.config.console.oidc !== undefined;
  }

  private get settings(): OidcSettings {
    const { oidc: settings } = this.config.console;
    if (!settings)
      throw new AppError('not_found', 'Sign-in by OpenID Connect is not set up: sign in with an access token');
    return settings;
  }

  /** Where the browser goes to sign in. */
  async addressFor({ state, nonce, verifier }: Flow): Promise<string> {
    const client = await this.client();
    const address = oidc.buildAuthorizationUrl(client, {
      redirect_uri: this.callback().href,
      scope: SCOPE,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return address.href;
  }

  /** Exchanges the code of the callback. Throws if the provider, the state, the nonce or a signature does not fit. */
  async claimsOf(query: string, { state, nonce, verifier }: Flow): Promise<Claims> {
    const client = await this.client();
    const current = this.callback();
    // Uses the registered address, and ignores the host of the request.
    current.search = query;
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
    const tokens = await oidc.authorizationCodeGrant(client, current, checks);
    const claims = tokens.claims();
    if (!claims) throw new AppError('unauthenticated', 'The provider sent no ID token');
    const isComplete = claims['email'] !== undefined && claims[this.settings.groupsClaim] !== undefined;
    const more = isComplete ? {} : await oidc.fetchUserInfo(client, tokens.access_token, claims.sub);
    const all: Record<string, unknown> = { ...more, ...claims };
    if (typeof all['email'] !== 'string' || all['email_verified'] === false)
      throw new AppError('unauthenticated', 'The provider knows no verified e-mail address');
    return { email: all['email'], groups: all[this.settings.groupsClaim] };
  }

  private callback(): URL {
    return new URL('/console/callback', this.settings.origin);
  }

  /** Asks the provider for its addresses at the first use. A failure is not kept. */
  private client(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const url = new URL(issuer);
    const insecure = url.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
    const authentication = clientSecret === undefined ? oidc.None() : undefined;
    const options = { execute: insecure, timeout: DEADLINE_S };
    this.discovered ??= oidc.discovery(url, clientId, clientSecret, authentication, options).catch((error: unknown) => {
      this.discovered = undefined;
      throw error;
    });
    return this.discovered;
  }
}
