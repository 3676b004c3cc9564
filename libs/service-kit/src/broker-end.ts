import type { NatsConnection } from '@nats-io/transport-node';
import { Logger } from '@nestjs/common';

/**
 * Ends the process when its connection closes for good before `mayClose`. Nothing would dial again, and a process that lives on
 * keeps its leases from those that could work. Its supervisor starts a new one.
 */
export function exitWhenClosed(nats: NatsConnection): { mayClose(): void } {
  const logger = new Logger('Process');
  let isExpected = false;
  void nats.closed().then((error) => {
    if (isExpected) return;
    logger.error(`the connection to the broker is closed for good: ${error ? error.message : 'no reason is known'}`);
    process.exit(1);
  });
  return {
    mayClose: () => {
      isExpected = true;
    },
  };
}
