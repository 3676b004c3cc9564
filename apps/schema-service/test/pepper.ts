import { randomBytes } from 'node:crypto';
import { Pepper } from '../src/secrets/pepper.js';

export const PEPPER = randomBytes(32).toString('base64');
export const pepper = new Pepper(PEPPER);
