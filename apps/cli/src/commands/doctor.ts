import { type WeirClient, type WeirError } from '@weir/client';
import { ExitCode } from '../core/exit-code.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';
import { type Check, CLOCK_SECONDS_MAX, processChecks } from '../doctor/processes.js';

const HOURS = 24;

export const doctorCommands: CommandGroup = (program, cli) => {
  program
    .command('doctor')
    .summary('find out what is wrong')
    .description(
      'Checks the server, the versions, every process, the broker, the backlog, the clocks, the token and the deliveries of the last day. It exits with 5 if something is wrong.',
    )
    .addHelpText('after', examples('weir doctor', 'weir doctor --json'))
    .action(cli.action((run) => doctor(run, program.version() ?? '')));
};

async function doctor({ out, client }: Run, ownVersion: string): Promise<ExitCode> {
  const weir = client();
  const checks = await versions(weir, ownVersion);
  if (checks[0]?.isFine) {
    const known = await token(weir);
    checks.push(...(await Promise.all([readiness(weir), intake(weir), clock(weir)])), known);
    // Without a token that works, each of these would only say so again.
    if (known.isFine) checks.push(...(await processChecks(weir)), ...(await deliveries(weir)));
  }
  const isFine = checks.every((check) => check.isFine);
  out.result({ ok: isFine, checks: checks.map(({ isFine: ok, ...check }) => ({ ok, ...check })) }, (colors) =>
    checks
      .map((check) => `${check.isFine ? colors.green('✓') : colors.red('✗')} ${check.name}: ${check.finding}`)
      .join('\n'),
  );
  return isFine ? ExitCode.ok : ExitCode.checkFailed;
}

/** Whether the server answers, and whether this command line was made for it. */
async function versions(weir: WeirClient, own: string): Promise<Check[]> {
  const { data, error } = await weir.GET('/version');
  if (error) return [{ name: 'server', isFine: false, finding: `${error.message}. ${adviceAbout(error)}` }];
  if (!data?.version) return [{ name: 'server', isFine: false, finding: `what answers is not Weir. ${CHECK_ADDRESS}` }];
  const isFine = lineOf(own) === lineOf(data.version);
  const advice = isFine ? '' : `, which was made for another server: npm install --global weir-cli@${data.version}`;
  return [
    { name: 'server', isFine: true, finding: `${data.name} ${data.version} answers` },
    { name: 'versions', isFine, finding: `this command line is ${own}${advice}` },
  ];
}

const CHECK_ADDRESS = 'Check the address: `weir login` stores another one';

/** Advice by the cause of a failed request. */
function adviceAbout({ cause, message }: WeirError): string {
  const code = String(Reflect.get(Object(Reflect.get(Object(cause), 'cause')), 'code') ?? '');
  if (code === 'ECONNREFUSED') return 'Nothing listens there: start Weir, or check the port';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'The name is unknown here: check the address and the network';
  if (/CERT|SELF_SIGNED|UNABLE_TO|TLS/.test(code))
    return 'Its certificate is not trusted: name the one of your company with NODE_EXTRA_CA_CERTS';
  if (message.includes('no answer within')) return 'A firewall, or a proxy on the way, may hold the request back';
  return CHECK_ADDRESS;
}

/** The part of a version that changes with what breaks: the second number before 1.0, and the first one from then on. */
const lineOf = (version: string): string =>
  version
    .split('.')
    .slice(0, version.startsWith('0.') ? 2 : 1)
    .join('.');

async function readiness(weir: WeirClient): Promise<Check> {
  const { data, error } = await weir.GET('/readyz');
  const reasons = data?.reasons ??
    (error?.body as { reasons?: string[] } | undefined)?.reasons ?? [error?.message ?? ''];
  const isFine = data?.ready === true;
  return { name: 'readiness', isFine, finding: isFine ? 'every service is ready' : reasons.join('; ') };
}

async function intake(weir: WeirClient): Promise<Check> {
  const { data, error } = await weir.GET('/health');
  const isFine = data?.acceptingEvents === 'TRUE';
  return {
    name: 'intake',
    isFine,
    finding: isFine ? 'events are accepted' : (error?.message ?? 'no events are accepted'),
  };
}

/** `Date` has whole seconds, so small differences mean nothing. */
async function clock(weir: WeirClient): Promise<Check> {
  const { response } = await weir.GET('/livez');
  const date = Date.parse(response?.headers.get('date') ?? '');
  if (Number.isNaN(date)) return { name: 'clock', isFine: true, finding: 'the server does not tell its time' };
  const seconds = Math.round(Math.abs(Date.now() - date) / 1_000);
  const isFine = seconds <= CLOCK_SECONDS_MAX;
  const finding = isFine ? 'agrees with that of the server' : `differs from that of the server by ${seconds} s`;
  return { name: 'clock', isFine, finding };
}

async function token(weir: WeirClient): Promise<Check> {
  const { data, error } = await weir.GET('/v2/workspace');
  return {
    name: 'token',
    isFine: !error,
    finding: error ? error.message : `belongs to workspace ${data.workspace.name}`,
  };
}

/** One finding for each destination with dead letters or a queue. Finds nothing wrong if the token may not see them. */
async function deliveries(weir: WeirClient): Promise<Check[]> {
  const { error } = await weir.GET('/v2/deliveries/counters', { params: { query: { hours: HOURS } } });
  if (error) return error.status === 403 ? [] : [{ name: 'deliveries', isFine: false, finding: error.message }];
  const names = new Map<string, string>();
  for await (const { id, name } of weir.paginate('/v2/destinations')) names.set(id, name);
  const found: Check[] = [];
  for await (const { destinationId, dead, inRetry } of weir.paginate('/v2/deliveries/counters', {
    params: { query: { hours: HOURS } },
  })) {
    if (dead === 0 && inRetry === 0) continue;
    const name = names.get(destinationId) ?? destinationId;
    const finding = `${name}: ${dead} dead letters in ${HOURS} h, ${inRetry} events wait for another attempt`;
    found.push({ name: 'deliveries', isFine: dead === 0, finding });
  }
  return found.length > 0 ? found : [{ name: 'deliveries', isFine: true, finding: 'nothing is dead or waits' }];
}
