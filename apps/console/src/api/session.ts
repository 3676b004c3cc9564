import { queryOptions, useQuery } from '@tanstack/react-query';
import { forgetAll, keepFor } from '../lib/kept.js';
import { answer, api, type Schema, shownSession, showSession, WeirError } from './client.js';
import { isUnknown } from './errors.js';

type SignedIn = Schema<'SignedIn'>;

/** Who this page belongs to: a person in a workspace with a role. */
let owner: string | undefined;
/** Tells the other tabs which session the browser has now, or null after a sign-out. */
const tabs = new BroadcastChannel('weir session');

/**
 * Lets a session into the page. A page of somebody else is loaded anew, so that no list, request or timer of the earlier session is left,
 * and nothing that was typed. Who signs in again goes on where they were.
 */
function letIn(signedIn: SignedIn): SignedIn | Promise<SignedIn> {
  const { workspace, session } = signedIn;
  const person = `${workspace.id} ${session.role} ${session.email}`;
  keepFor(person);
  if (shownSession() !== session.id) tabs.postMessage(session.id);
  if (owner !== undefined && owner !== person) {
    window.location.reload();
    return new Promise(() => {}); // the page is on its way out
  }
  owner = person;
  showSession(session.id);
  return signedIn;
}

/** Calls back when another tab has signed in or out. Answers how to leave it. */
export function onOtherTab(asked: () => void): () => void {
  const heard = ({ data: id }: MessageEvent<string | null>) => {
    if (id === null) forgetAll();
    if (id !== shownSession()) asked();
  };
  tabs.addEventListener('message', heard);
  return () => tabs.removeEventListener('message', heard);
}

/** Who is signed in. Null if nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () =>
    answer(api.GET('/console/session')).then(letIn, (error: unknown) => {
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

const signIn = (body: Schema<'SignIn'>) => answer(api.POST('/console/session', { body })).then(letIn);
export const signInByCode = (code: string) => signIn({ code });
export const signInByToken = (token: string) => signIn({ token });

/** Leaves nothing of the session behind in any tab. */
export async function signOut(): Promise<void> {
  await answer(api.DELETE('/console/session'));
  forgetAll();
  tabs.postMessage(null);
  window.location.reload();
}
