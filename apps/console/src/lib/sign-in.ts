/** Where a sign-in at the provider begins. It comes back to the given path. */
export const providerAddress = (returnTo: string): string => `/console/login?${new URLSearchParams({ returnTo })}`;

const REFUSALS = new Map([
  ['failed', 'Sign-in failed. Try again.'],
  ['no-access', 'None of your groups has access to Weir. Ask your operator.'],
  ['unavailable', 'The sign-in service of your organisation is unavailable. Try again soon, or use an access token.'],
]);

/** Why the provider's sign-in ended here, from the address that it leads to. */
export function refusalIn(search: string): string | undefined {
  return REFUSALS.get(new URLSearchParams(search).get('signIn') ?? '');
}

/** The code of a link that signs in once. It is behind the #, which browsers never send. */
export function codeOfLink(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get('code') ?? undefined;
}
