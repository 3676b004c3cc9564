import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { sentenceOf } from '../api/client.js';
import { askWho } from '../api/query-client.js';
import { onOtherTab, sessionQuery, signInByCode } from '../api/session.js';
import { Trouble } from '../components/panel.js';
import { codeOfLink, refusalIn } from '../lib/sign-in.js';
import { SignIn } from './sign-in.js';

/** Read once, and taken out of the address at once: a code is used a single time and stays in no history. */
const linkCode = codeOfLink(window.location.hash);
if (linkCode) window.history.replaceState(null, '', window.location.pathname + window.location.search);
/** Signs in once per page load, even if React mounts twice. */
const linkSignIn = linkCode ? signInByCode(linkCode) : undefined;

/** The operator has another sign-in page. */
const isForOperator = window.location.pathname.replace(/\/$/, '') === '/console/operator';

/** Shows the console to signed-in users, and the sign-in page to others. The address stays the same. */
export function Gate({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [isWaiting, setWaiting] = useState(linkSignIn !== undefined);
  const [problem, setProblem] = useState(() => refusalIn(window.location.search));
  const session = useQuery({ ...sessionQuery, enabled: !isWaiting });

  useEffect(() => {
    linkSignIn
      ?.then(
        (signedIn) => client.setQueryData(sessionQuery.queryKey, signedIn),
        (error: unknown) => setProblem(sentenceOf(error)),
      )
      .finally(() => setWaiting(false));
  }, [client]);

  useEffect(() => onOtherTab(askWho), []);

  if (session.data || isForOperator) return children;
  if (session.data === null) return <SignIn problem={problem} />;
  if (session.isError)
    return <Trouble what="Weir is unavailable" error={session.error} onRetry={() => session.refetch()} />;
  return null;
}
