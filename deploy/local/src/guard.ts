import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Waits for the end of its input, which the launcher holds open for as long as it lives, then stops the server: SIGKILL
 * of the launcher leaves nothing behind. A shell, because another Node process would take 40 MiB.
 */
const SCRIPT = `
trap '' INT TERM HUP
cat > /dev/null
kill -INT "$1" 2> /dev/null
tries=0
while kill -0 "$1" 2> /dev/null && [ "$tries" -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -KILL "$1" 2> /dev/null
`;

export interface Guard {
  /** The server has ended: there is nothing left to guard. */
  dismiss(): void;
}

export function guardServer(pid: number): Guard {
  let dismissed = false;
  let shell: ChildProcess;
  const post = () => {
    // Its own process group: a signal to the launcher's whole group must not take the guard first.
    shell = spawn('/bin/sh', ['-c', SCRIPT, 'weir-guard', String(pid)], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    shell.once('exit', () => {
      if (!dismissed) post();
    });
  };
  post();
  return {
    dismiss: () => {
      dismissed = true;
      shell.kill('SIGKILL');
    },
  };
}
