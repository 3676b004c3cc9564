import { Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { AppError } from '@weir/contracts';
import { ADMIN } from './admin.strategy.js';
import { TOKEN_BASIC } from './token-basic.strategy.js';
import { TOKEN_BEARER } from './token-bearer.strategy.js';

/** passport passes an error, a user, or neither if no strategy accepted the credentials. */
function userOr<User>(error: unknown, user: User | false, refusal: string): User {
  if (error) throw error;
  if (!user) throw new AppError('unauthenticated', refusal);
  return user;
}

@Injectable()
export class TokenGuard extends AuthGuard([TOKEN_BASIC, TOKEN_BEARER]) {
  override handleRequest<User>(error: unknown, user: User | false): User {
    return userOr(error, user, 'Invalid Authorization Header');
  }
}

@Injectable()
export class AdminGuard extends AuthGuard(ADMIN) {
  override handleRequest<User>(error: unknown, user: User | false): User {
    return userOr(error, user, 'Basic auth credentials missing');
  }
}
