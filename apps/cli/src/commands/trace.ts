import { type Schema, unwrap } from '@weir/client';
import { destinationNames } from '../core/find.js';
import type { Colors } from '../core/output.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';
import { facts, oneLine, printable } from '../core/table.js';

type Trace = Schema<'EventTrace'>;
type Step = Trace['destinations'][number]['steps'][number];

export const traceCommands: CommandGroup = (program, cli) => {
  program
    .command('trace <messageId>')
    .summary('show the life of one event')
    .description('Shows what became of an event: from the intake over your code to its end at each destination.')
    .addHelpText('after', examples('weir trace 3f1c9a52-0f3c-4f0e-9c38-1d5e8f9a7b11'))
    .action(cli.action(trace));
};

async function trace({ out, args, client }: Run): Promise<void> {
  const weir = client();
  const messageId = args[0] ?? '';
  const found = await unwrap(weir.GET('/v2/events/{messageId}', { params: { path: { messageId } } }));
  const names = found.destinations.length > 0 ? await destinationNames(weir) : new Map<string, string>();
  out.result(found, (colors) => traceText(found, names, colors));
}

/** The event, and below it each destination with its steps. */
export function traceText(trace: Trace, names: ReadonlyMap<string, string>, colors: Colors): string {
  const { eventType = '', eventName = '', receivedAt, status, destinations, notKept = [] } = trace;
  const event = printable([eventType, eventName].filter(Boolean).join(' '));
  const head = facts({ event, received: receivedAt, status, source: trace.sourceId });
  const parts = destinations.map(({ destinationId, status: end, steps }) => {
    const name = colors.bold(printable(names.get(destinationId) ?? destinationId));
    return [`${name}: ${end}`, ...steps.map((step) => `  ${stepText(step)}`)].join('\n');
  });
  return [head, ...parts, ...notKept.map((why) => colors.dim(why))].join('\n');
}

function stepText({ at, step, attempt, responseStatus, reason, milliseconds, code }: Step): string {
  const parts = [
    `${at} ${step}`,
    attempt !== undefined && `attempt ${attempt}`,
    responseStatus !== undefined && `answer ${responseStatus}`,
    milliseconds !== undefined && `${milliseconds} ms`,
    code && code.result !== 'none' && `code: ${code.result}`,
    reason && oneLine(reason),
  ];
  return parts.filter(Boolean).join(', ');
}
