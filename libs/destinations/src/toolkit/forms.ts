/** Recognises texts by their form. A text over the length limit never matches and is not read further. */

/** Maximum characters of a name of an event, a person or a place. */
export const NAME_LENGTH_MAX = 1_024;
/** Maximum characters of a time, including `Date` output and zone names. Parsers are slow on long texts that are not times. */
export const TIME_LENGTH_MAX = 128;
/** Maximum characters of a URL. Browsers and servers refuse longer ones. */
export const ADDRESS_LENGTH_MAX = 8_192;

/** Maximum characters of an e-mail address: 64 before the `@` and 255 after it (RFC 5321, 4.5.3.1). */
const EMAIL_LENGTH_MAX = 320;

/** Accepts any text with one `@`, a domain with a dot inside, and no spaces. Cannot tell whether the mailbox exists. */
export function isEmail(text: string): boolean {
  if (text.length > EMAIL_LENGTH_MAX || /\s/.test(text)) return false;
  const [name, domain = '', ...more] = text.split('@');
  const dot = domain.indexOf('.', 1);
  return name !== '' && more.length === 0 && dot > 0 && dot < domain.length - 1;
}
