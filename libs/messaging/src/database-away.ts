/** PostgreSQL is unreachable, shutting down or full: classes 08, 53, 57P, network errors, and a statement that timed out. */
const CODES = /^(08...|53...|57P0.|57014|ECONN.*|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
/** Messages of pg-pool and pg without a code. The second also occurs when all connections stay in use. */
const MESSAGES = /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/;

/** Whether the error is a temporary failure of the database or the network, and not the fault of a query. Worth a retry. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const cause: unknown = Reflect.get(error, 'driverError') ?? error;
  if (!(cause instanceof Error)) return false;
  return CODES.test(String(Reflect.get(cause, 'code') ?? '')) || MESSAGES.test(cause.message);
}
