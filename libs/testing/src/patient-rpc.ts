import type { Call, ReplyOf, RequestInputOf } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { PATIENCE_MS } from './patience.js';

/** A client of the services for tests that are not about deadlines. A busy machine answers later than the product may. */
export class PatientRpcClient extends RpcClient {
  override send<C extends Call>(call: C, request: RequestInputOf<C>): Promise<ReplyOf<C>> {
    return super.send(call, request, { deadlineMs: PATIENCE_MS });
  }
}
