import { isJsonObject } from '@weir/contracts';
import { objectOf, SecretMask } from '@weir/destinations';

/** Shorter values stand in ordinary words; the sandbox leaves them in logs as well. */
const SECRET_LENGTH_MIN = 4;

/**
 * Hides the secrets that user code reads with `getCredential` from those who may see what code makes of an event, and not the
 * secrets themselves. Code may put them anywhere, so they are searched for by text.
 */
export class CodeSecrets {
  private readonly secrets: readonly string[];
  private made: SecretMask | undefined;

  constructor(values: readonly string[]) {
    this.secrets = values.filter(({ length }) => length >= SECRET_LENGTH_MIN);
  }

  /** Made when something is looked at: most events never are. */
  private get mask(): SecretMask {
    this.made ??= new SecretMask(this.secrets, { isCut: false });
    return this.made;
  }

  /** The value with `***` for every secret. */
  in<T>(value: T): T {
    return this.mask.in(value);
  }

  /** The same of an event; what stands where the caller wrote it stays, or it would tell whether a guess was right. */
  inEvent<T>(event: T, sent: unknown): T {
    return (this.secrets.length > 0 ? this.beside(event, sent) : event) as T;
  }

  private beside(value: unknown, sent: unknown): unknown {
    if (value === sent) return value;
    if (Array.isArray(value)) {
      const items = Array.isArray(sent) ? sent : [];
      return value.map((item, index) => this.beside(item, items[index]));
    }
    if (!isJsonObject(value)) return this.in(value);
    const known = isJsonObject(sent) ? sent : {};
    const entries = Object.entries(value).map(([key, inner]) =>
      Object.hasOwn(known, key) ? [key, this.beside(inner, known[key])] : Object.entries(this.in({ [key]: inner }))[0],
    );
    return objectOf(entries as [string, unknown][]);
  }
}
