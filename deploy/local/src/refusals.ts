import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Brokers name the user or not, depending on their release. */
const REFUSED_ANSWER = /Publish Violation - (User "[^"]*", )?Subject "_INBOX_/;
const RELOADED = 'Reloaded: authorization users';
const READY = 'Server is ready';

/**
 * Returns what the broker of a stack refused, according to its log, because a permission is missing. The right to answer a request ends
 * with the connection, and when the broker reads its users again. A process that has connected anew may therefore answer late, and so may
 * one that answers while passwords are replaced. Connections also end if somebody breaks them, of which the log says nothing.
 */
export function refusedByBroker(logs: string, breaksConnections = false): string[] {
  const names = existsSync(logs) ? readdirSync(logs).filter((name) => name.startsWith('nats-server')) : [];
  const lines = names.flatMap((name) => readFileSync(join(logs, name), 'utf8').split('\n'));
  const refused = lines.filter((line) => line.includes('Violation'));
  const isCluster = names.length > 1;
  const isReloaded = lines.some((line) => line.includes(RELOADED));
  const isRestarted = lines.filter((line) => line.includes(READY)).length > 1;
  const mayAnswerLate = breaksConnections || isCluster || isReloaded || isRestarted;
  return mayAnswerLate ? refused.filter((line) => !REFUSED_ANSWER.test(line)) : refused;
}
