import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Stops the server when its own input ends. The launcher holds that input open while it lives, so even its SIGKILL leaves nothing
 * behind. Uses a shell, because another Node process would take 40 MiB.
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
  /** Ends the guard after its server has ended. */
  dismiss(): void;
}

export function guardServer(pid: number): Guard {
  let dismissed = false;
  let shell: ChildProcess;
  const post = () => {
    // Uses its own process group, so that a signal to the launcher's group does not end the guard first.
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
