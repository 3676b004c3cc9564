import { isJsonObject } from '@weir/contracts';
import { objectOf, SecretMask } from '@weir/destinations';

/**
 * Shorter values also occur in ordinary words, so masking them would hide too much. The sandbox does not mask them in logs
 * either.
 */
const SECRET_LENGTH_MIN = 4;

/**
 * Masks secrets that user code reads with `getCredential`, for readers who may see the code's output but not the secrets. Code
 * can put a secret anywhere, so the mask searches the text.
 */
export class CodeSecrets {
  private readonly secrets: readonly string[];
  private made: SecretMask | undefined;

  constructor(values: readonly string[]) {
    this.secrets = values.filter(({ length }) => length >= SECRET_LENGTH_MIN);
  }

  /** Built on first use because most events are never shown. */
  private get mask(): SecretMask {
    this.made ??= new SecretMask(this.secrets, { isCut: false });
    return this.made;
  }

  /** Replaces every secret in the value with `***`. */
  in<T>(value: T): T {
    return this.mask.in(value);
  }

  /** Masks an event, but keeps text that stands where the caller sent it. Masking that text would confirm a guessed secret. */
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
