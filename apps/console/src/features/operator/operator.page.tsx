import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { sentenceOf } from '../../api/client.js';
import { operatorQuery, signInOperator, signOutOperator } from '../../api/operator.js';
import { Loaded } from '../../components/panel.js';
import { tellError } from '../../components/toast.js';
import { Button, buttonClass } from '../../components/ui/button.js';
import { TextField } from '../../components/ui/field.js';
import { Mark } from '../../shell/mark.js';
import { Workspaces } from './workspaces.js';

/** The workspaces of the whole installation, for its operator. The session of a workspace opens nothing here. */
export function OperatorPage() {
  const operator = useQuery(operatorQuery);
  return (
    <Loaded query={operator} what="The operator page">
      {(isSignedIn) => (isSignedIn ? <Signed /> : <SignIn />)}
    </Loaded>
  );
}

function Signed() {
  const client = useQueryClient();
  const leave = useMutation({
    mutationFn: signOutOperator,
    onError: tellError,
    onSuccess: () => {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== operatorQuery.queryKey[0] });
      client.setQueryData(operatorQuery.queryKey, false);
    },
  });
  return (
    <Frame
      actions={
        <Button onClick={() => leave.mutate()}>
          <LogOut size={14} aria-hidden /> Sign out
        </Button>
      }
    >
      <Workspaces />
    </Frame>
  );
}

function SignIn() {
  const client = useQueryClient();
  const [typed, setTyped] = useState({ user: '', password: '' });
  const signIn = useMutation({
    mutationFn: () => signInOperator(typed),
    onSuccess: () => client.setQueryData(operatorQuery.queryKey, true),
  });
  return (
    <Frame>
      <form
        className="mx-auto mt-[8vh] w-full max-w-[25rem] space-y-4 rounded-xl border bg-surface p-5"
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate();
        }}
      >
        <p className="text-muted">
          Use the admin credentials of this installation:{' '}
          <code className="font-mono text-[12.5px]">SERVICE_ADMIN_USER</code> and{' '}
          <code className="font-mono text-[12.5px]">SERVICE_ADMIN_PASSWORD</code>.
        </p>
        <TextField
          label="User"
          autoComplete="username"
          autoFocus
          required
          value={typed.user}
          onChange={(user) => setTyped({ ...typed, user })}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          error={signIn.isError ? sentenceOf(signIn.error) : undefined}
          value={typed.password}
          onChange={(password) => setTyped({ ...typed, password })}
        />
        <Button look="primary" type="submit" className="w-full justify-center" disabled={signIn.isPending}>
          Sign in as operator
        </Button>
      </form>
    </Frame>
  );
}

/** The links reload the page, because the console of a workspace has another session. */
const Frame = ({ actions, children }: { actions?: ReactNode; children: ReactNode }) => (
  <main id="page" className="mx-auto flex min-h-full w-full max-w-[1240px] flex-col px-4 py-5 md:px-8">
    <header className="mb-5 flex flex-wrap items-center gap-3">
      <Mark size={28} />
      <h1 className="flex-1 text-xl font-semibold tracking-tight">Operator</h1>
      <a href="/console" className={buttonClass()}>
        Open console
      </a>
      {actions}
    </header>
    {children}
  </main>
);
