import { isJsonObject, type JsonObject, matchIdsOf, normalizeUserId, writtenForms } from '@weir/contracts';
import { CONTRIBUTOR_SEPARATOR } from '../aggregation/contributors.js';

/** Shorter identifiers match only as a user id, because `1` or `en` is in everybody's events. */
export const IDENTIFIER_CHARS_MIN = 4;
/** Paths that hold a user id, of any length. */
const USER_ID_PATHS = ['userId', 'previousId'];

/** Finds what users left in samples and frequent values. */
export class UserTraces {
  private readonly userIds: ReadonlySet<string>;
  private readonly identifiers: ReadonlySet<string>;

  private readonly userKeys: ReadonlySet<string>;

  /**
   * @param users `userId` and custom identifiers of each user (spec 4.2 rule 4)
   * @param userKeys Contributor keys of the users, which select values that one of them alone had
   */
  constructor(users: readonly JsonObject[], userKeys: readonly string[] = []) {
    this.userKeys = new Set(userKeys);
    this.userIds = new Set(users.map(({ userId }) => normalizeUserId(userId)).filter((id) => id !== undefined));
    const values = users.flatMap((user) => Object.values(user)).map((value) => normalizeUserId(value) ?? '');
    this.identifiers = new Set(values.filter((id) => id.length >= IDENTIFIER_CHARS_MIN).flatMap(writtenForms));
  }

  /** Whether the event belongs to one of the users, or holds an identifier anywhere, as a value or as a key. */
  isIn(event: JsonObject): boolean {
    if (matchIdsOf(event).some((id) => this.userIds.has(id))) return true;
    const open: unknown[] = [event];
    while (open.length > 0) {
      const value = open.pop();
      if (Array.isArray(value)) open.push(...value);
      else if (isJsonObject(value)) open.push(...Object.keys(value), ...Object.values(value));
      else if (this.isIdentifier(value)) return true;
    }
    return false;
  }

  /** Whether the frequent value is an identifier, its path contains one as a key, or one of the users alone had it. */
  isValue(value: string, path: string, userKey?: string): boolean {
    if (userKey?.split(CONTRIBUTOR_SEPARATOR).some((key) => this.userKeys.has(key))) return true;
    if (this.isIdentifier(value) || path.split('.').some((key) => this.isIdentifier(key))) return true;
    return USER_ID_PATHS.includes(path) && this.userIds.has(value.trim());
  }

  private isIdentifier(value: unknown): boolean {
    const text = normalizeUserId(value);
    return text !== undefined && this.identifiers.has(text);
  }
}
