import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { AppError } from '@weir/contracts';
import { CONFIG, type Config } from '../config.js';
import { HttpBasicStrategy } from './http-basic.strategy.js';

export const ADMIN = 'admin';

/** `Basic` with the admin pair of the data plane (spec 5.3). Refuses everybody if the pair is unset. */
@Injectable()
export class AdminStrategy extends PassportStrategy(HttpBasicStrategy, ADMIN) {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'admin'>) {
    super();
  }

  validate(user: string, password: string): true {
    const { admin } = this.config;
    // Always compares both, so that timing does not reveal which one was wrong.
    const matches = [same(user, admin?.user ?? ''), same(password, admin?.password ?? '')];
    if (!admin || matches.includes(false)) throw new AppError('unauthenticated', 'Invalid admin credentials');
    return true;
  }
}

/** Compares digests, because they have equal length. */
function same(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
