import { createHash, randomBytes } from 'node:crypto';

/** Tells a leaked token from other random text; secret scanners look for it. */
const PREFIX = 'weir_';
const SECRET_BYTES = 32;

/** 256 random bits. Shown once, never stored. */
export const newToken = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64url');

/** What is stored of a token. Plain SHA-256 suffices, because there is nothing to guess. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** An empty user name skips the check (wire-facts 0.1); upper and lower case of an e-mail address are one. */
export const emailMatches = (given: string | undefined, owner: string): boolean =>
  !given || given.toLowerCase() === owner.toLowerCase();
