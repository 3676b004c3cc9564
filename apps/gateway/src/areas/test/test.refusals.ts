import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { MESSAGE_TYPES } from '@weir/contracts';
import type { Reply } from '../../http/request.js';

/** A refusal whose whole body must be exactly `{message}` (spec section 7, wire-facts 3.2). */
export class TestRefusal extends Error {
  override readonly name = 'TestRefusal';
}

export const refusals = {
  typeMissing: () => new TestRefusal('message type missing or invalid'),
  typeUnsupported: () => new TestRefusal('message type is unsupported'),
  sourceDisabled: (id: string) => new TestRefusal(`Source with ${id} is disabled`),
  sourceUnconnected: (id: string) => new TestRefusal(`Source with ${id} is not connected to any destination`),
};

@Catch(TestRefusal)
export class TestRefusalFilter implements ExceptionFilter<TestRefusal> {
  catch({ message }: TestRefusal, host: ArgumentsHost): void {
    void host.switchToHttp().getResponse<Reply>().status(400).send({ message });
  }
}

/** The comparison is exact: `Identify` is unsupported (ruling 21). */
export function requireMessageType(type: unknown): void {
  if (typeof type !== 'string') throw refusals.typeMissing();
  if (!MESSAGE_TYPES.some((supported) => supported === type)) throw refusals.typeUnsupported();
}
