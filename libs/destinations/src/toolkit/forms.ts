/** What texts of an event are, by their form. A longer one than the form allows is none, and is not looked at any further. */

/** Characters of a name of an event, a person or a place: what is longer is no name. */
export const NAME_LENGTH_MAX = 1_024;
/** Characters of a time, with room for what `Date` writes and the name of a zone: parsers are slow with what is none. */
export const TIME_LENGTH_MAX = 128;
/** Characters of an address: browsers and servers refuse longer ones. */
export const ADDRESS_LENGTH_MAX = 8_192;

/** Characters of an e-mail address: 64 before the `@` and 255 after it (RFC 5321, 4.5.3.1). */
const EMAIL_LENGTH_MAX = 320;

/** Something, one `@`, and a domain with a dot inside; no spaces. Whether anybody reads it, nobody knows. */
export function isEmail(text: string): boolean {
  if (text.length > EMAIL_LENGTH_MAX || /\s/.test(text)) return false;
  const [name, domain = '', ...more] = text.split('@');
  const dot = domain.indexOf('.', 1);
  return name !== '' && more.length === 0 && dot > 0 && dot < domain.length - 1;
}
