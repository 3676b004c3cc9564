import type { DeletionRequest } from '../kind.js';

type Users = DeletionRequest['users'];

/** The distinct values of the users under a key, as texts. Only texts and numbers identify a user. */
export function identifiersOf(users: Users, key: string): string[] {
  const values = users.map((user) => user[key]);
  const texts = values.filter((value) => typeof value === 'string' || typeof value === 'number').map(String);
  return [...new Set(texts.map((value) => value.trim()).filter((value) => value !== ''))];
}

export const userIdsOf = (users: Users): string[] => identifiersOf(users, 'userId');
