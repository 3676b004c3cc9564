import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema, WeirError } from './client.js';
import { allPages } from './pages.js';

export type Workspace = Schema<'Workspace'>;

/** Whether the operator is signed in. */
export const operatorQuery = queryOptions({
  queryKey: ['operator'],
  queryFn: () =>
    answer(api.GET('/admin/session')).then(
      () => true,
      (error: unknown) => {
        if (error instanceof WeirError && error.status < 500 && error.status !== 0) return false;
        throw error;
      },
    ),
});

/** Sends the pair once. The browser holds a session afterwards, never the pair. */
export const signInOperator = ({ user, password }: { user: string; password: string }) =>
  answer(api.POST('/admin/session', { headers: { authorization: `Basic ${base64Of(`${user}:${password}`)}` } }));
export const signOutOperator = () => answer(api.DELETE('/admin/session'));

/** `btoa` takes Latin-1 alone, and a password may hold anything. */
const base64Of = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: () =>
    allPages(
      (page) => answer(api.GET('/admin/workspaces', { params: { query: { page } } })),
      ({ workspaces }) => workspaces,
    ),
});

export const workspaceTokensQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['workspace tokens', workspaceId],
    queryFn: () =>
      allPages(
        (page) => answer(api.GET('/admin/access-tokens', { params: { query: { workspaceId, page } } })),
        ({ accessTokens }) => accessTokens,
      ),
  });

export const makeWorkspace = (name: string) => answer(api.POST('/admin/workspaces', { body: { name } }));
export const makeToken = (body: Schema<'CreateWorkspaceAccessToken'>) =>
  answer(api.POST('/admin/access-tokens', { body }));
