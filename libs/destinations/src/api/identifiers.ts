import type { DeletionRequest } from '../kind.js';

type Users = DeletionRequest['users'];

/** What the users have under a key, each once, as text. What is neither a text nor a number identifies nobody. */
export function identifiersOf(users: Users, key: string): string[] {
  const values = users.map((user) => user[key]);
  const texts = values.filter((value) => typeof value === 'string' || typeof value === 'number').map(String);
  return [...new Set(texts.map((value) => value.trim()).filter((value) => value !== ''))];
}

export const userIdsOf = (users: Users): string[] => identifiersOf(users, 'userId');
