import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { AppError } from '@weir/contracts';
import { CONFIG, type Config } from '../config.js';
import { HttpBasicStrategy } from './http-basic.strategy.js';

export const ADMIN = 'admin';

/** `Basic` with the admin pair of the data plane (spec 5.3). Unset: nobody gets in. */
@Injectable()
export class AdminStrategy extends PassportStrategy(HttpBasicStrategy, ADMIN) {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'admin'>) {
    super();
  }

  validate(user: string, password: string): true {
    const { admin } = this.config;
    // Both are compared always, so that time does not tell which one was wrong.
    const matches = [same(user, admin?.user ?? ''), same(password, admin?.password ?? '')];
    if (!admin || matches.includes(false)) throw new AppError('unauthenticated', 'Invalid admin credentials');
    return true;
  }
}

/** Compares digests: of one length, whatever was sent. */
function same(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
