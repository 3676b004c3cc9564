import { queryOptions, useQuery } from '@tanstack/react-query';
import { answer, api, WeirError } from './client.js';
import { isUnknown } from './errors.js';

/** Who is signed in. Null if nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () =>
    answer(api.GET('/console/session')).catch((error: unknown) => {
      if (isUnknown(error) || (error instanceof WeirError && error.status === 401)) return null;
      throw error;
    }),
  staleTime: 60_000,
});

/** The ways to sign in: an access token always, and an OpenID Connect provider where the operator has one. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in methods'],
  queryFn: () => answer(api.GET('/console/sign-in')),
  staleTime: Number.POSITIVE_INFINITY,
});

export const useSession = () => useQuery(sessionQuery).data ?? null;

/** Whether the role may do this. It decides what is shown. The API decides what is allowed. */
export function useCan(area: string, access: string): boolean {
  return useSession()?.capabilities[area]?.includes(access) ?? false;
}

export const signInByCode = (code: string) => answer(api.POST('/console/session', { body: { code } }));
export const signInByToken = (token: string) => answer(api.POST('/console/session', { body: { token } }));
export const signOut = () => answer(api.DELETE('/console/session'));
