import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sentenceOf } from '../api/client.js';
import { sessionQuery, signInByToken, signInMethodsQuery } from '../api/session.js';
import { Button, buttonClass } from '../components/ui/button.js';
import { TextField } from '../components/ui/field.js';
import { cn } from '../lib/cn.js';
import { providerAddress } from '../lib/sign-in.js';
import { Mark } from './mark.js';

/** The ways in. A token is sent once, and the browser holds a session afterwards, never the token. */
export function SignIn({ problem }: { problem: string | undefined }) {
  const client = useQueryClient();
  const [token, setToken] = useState('');
  const signIn = useMutation({
    mutationFn: () => signInByToken(token.trim()),
    onSuccess: (session) => client.setQueryData(sessionQuery.queryKey, session),
  });
  const hasProvider = useQuery(signInMethodsQuery).data?.methods.includes('oidc') ?? false;
  useEffect(() => {
    document.title = 'Sign in · Weir';
  }, []);
  const said = signIn.isError ? sentenceOf(signIn.error) : problem;
  return (
    <main className="grid min-h-full place-items-center p-4">
      <div className="animate-appear w-full max-w-[25rem]">
        <div className="mb-6 flex items-center gap-3">
          <Mark size={36} />
          <div>
            <h1 className="text-lg leading-tight font-semibold">Sign in to Weir</h1>
            <p className="text-muted">See the stream, write code, fix what failed.</p>
          </div>
        </div>
        {hasProvider && (
          <a
            href={providerAddress(window.location.pathname)}
            className={cn(buttonClass('primary'), 'mb-4 w-full justify-center')}
          >
            Sign in with your organisation
          </a>
        )}
        <form
          className="space-y-4 rounded-xl border bg-surface p-5"
          onSubmit={(event) => {
            event.preventDefault();
            signIn.mutate();
          }}
        >
          <TextField
            label="Access token"
            error={said}
            type="password"
            autoComplete="current-password"
            autoFocus
            required
            value={token}
            onChange={setToken}
          />
          <Button
            look={hasProvider ? 'plain' : 'primary'}
            type="submit"
            className="w-full justify-center"
            disabled={signIn.isPending}
          >
            Sign in
          </Button>
        </form>
        <p className="mt-4 text-[12.5px] text-muted">
          <code className="font-mono">npm start</code> prints a link that signs you in, and the access token. An admin
          creates tokens for others in Settings. The operator of the installation{' '}
          <a href="/console/operator" className="text-accent underline">
            creates workspaces
          </a>
          .
        </p>
      </div>
    </main>
  );
}
