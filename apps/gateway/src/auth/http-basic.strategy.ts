import { BasicStrategy } from 'passport-http';
import { type BasicCredentials, readBasic } from './authorization.js';

interface WithHeaders {
  headers: { authorization?: string };
}

/**
 * passport-http without its traps. The original refuses an empty user (`:token`) or password (`writeKey:`), cuts a password at
 * its second colon, and accepts "Basic" anywhere in the scheme.
 */
export class HttpBasicStrategy extends BasicStrategy {
  authenticate(request: WithHeaders): void {
    const credentials = readBasic(request.headers.authorization);
    if (!credentials) this.fail('Basic');
    else this.verify(credentials);
  }

  private verify({ user, password }: BasicCredentials): void {
    this._verify(user, password, (error, principal) => {
      if (error) this.error(error);
      else if (principal) this.success(principal);
      else this.fail('Basic');
    });
  }
}
