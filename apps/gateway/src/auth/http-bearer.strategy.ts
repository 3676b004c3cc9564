import { Strategy } from 'passport-http-bearer';
import { readBearer } from './authorization.js';

interface WithHeaders {
  headers: { authorization?: string };
}

/** passport-http-bearer without `access_token` in query and body, where tokens would reach logs. */
export class HttpBearerStrategy extends Strategy {
  authenticate(request: WithHeaders): void {
    const token = readBearer(request.headers.authorization);
    if (token === undefined) this.fail('Bearer');
    else this.verify(token);
  }

  private verify(token: string): void {
    this._verify(token, (error, principal) => {
      if (error) this.error(error);
      else if (principal) this.success(principal);
      else this.fail('Bearer');
    });
  }
}
