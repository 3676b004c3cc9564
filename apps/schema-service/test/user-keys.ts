import { randomBytes } from 'node:crypto';
import { Pepper } from '@weir/service-kit';
import { UserKeys } from '../src/secrets/user-keys.js';

export const PEPPER = randomBytes(32).toString('base64');
export const userKeys = new UserKeys(new Pepper(PEPPER));
