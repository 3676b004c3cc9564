/** PostgreSQL is away, going away or full: classes 08, 53, 57P and a statement that ran out of time. */
const CODES = /^(08...|53...|57P0.|57014|ECONN.*|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
/** pg-pool and pg say these without a code; the second also when all connections stay taken. */
const MESSAGES = /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/;

/** Whether the database, or the way to it, failed in a way that passes: worth another try, and no fault of a query. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const cause: unknown = Reflect.get(error, 'driverError') ?? error;
  if (!(cause instanceof Error)) return false;
  return CODES.test(String(Reflect.get(cause, 'code') ?? '')) || MESSAGES.test(cause.message);
}
