import type { ReplyOf, RunCode, UserError } from '@weir/contracts';

/** A shorter value would mask half of the alphabet, and is no secret. */
const SECRET_CHARS_MIN = 4;
const MASK = '***';

/** Hides the values of credentials in what people read about a run. The longest goes first, as one may hold another. */
export function maskerOf(credentials: { value: string }[]): (text: string) => string {
  const values = credentials.map(({ value }) => value).filter((value) => value.length >= SECRET_CHARS_MIN);
  values.sort((left, right) => right.length - left.length);
  return (text) => values.reduce((masked, value) => masked.replaceAll(value, MASK), text);
}

/** Events that came out are left as they are: what the user puts there is meant to be there. */
export function maskedReply(reply: ReplyOf<typeof RunCode>, mask: (text: string) => string): ReplyOf<typeof RunCode> {
  const masked = (error: UserError): UserError => ({ ...error, message: mask(error.message) });
  return {
    results: reply.results.map((each) => (each.status === 'error' ? { ...each, error: masked(each.error) } : each)),
    logs: reply.logs.map(mask),
    ...(reply.strayErrors && { strayErrors: reply.strayErrors.map(masked) }),
    ...(reply.fetches && { fetches: reply.fetches.map((each) => ({ ...each, url: mask(each.url) })) }),
  };
}
