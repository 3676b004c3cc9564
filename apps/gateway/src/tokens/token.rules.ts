import { createHash, randomBytes } from 'node:crypto';

/** Identifies a leaked token. Secret scanners look for this prefix. */
const PREFIX = 'weir_';
const SECRET_BYTES = 32;

/** 256 random bits. Shown once, never stored. */
export const newToken = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64url');

/** The stored form of a token. Plain SHA-256 suffices, because random bits cannot be guessed. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** An empty user name skips the check (wire-facts 0.1). Ignores the case of e-mail addresses. */
export const emailMatches = (given: string | undefined, owner: string): boolean =>
  !given || given.toLowerCase() === owner.toLowerCase();
