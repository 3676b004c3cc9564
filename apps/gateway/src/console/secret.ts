import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** 256 random bits for a cookie or a link. Only their SHA-256 is stored. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
