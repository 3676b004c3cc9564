import { Injectable, Logger } from '@nestjs/common';
import type { DestinationTestResult, JsonObject, RequestOf, TestDestination } from '@weir/contracts';
import { identifiersOf } from '@weir/contracts';
import type { SecretMask } from '@weir/destinations';
import { newKsuid } from '@weir/service-kit';
import { TestRunRepository } from './test-run.repository.js';

/** Upper limit of a stored result. Longer ones are stored without `data`. */
const RESULT_BYTES_MAX = 262_144;

/** Records tests, without secrets. A failure to record never fails the test. */
@Injectable()
export class TestJournal {
  private readonly logger = new Logger(TestJournal.name);

  constructor(private readonly runs: TestRunRepository) {}

  /**
   * Records a run and returns its id, or undefined if that failed. `result` is the version that everybody may see. The input of
   * an admin may also contain secrets, so it is masked. Other roles know no secrets, and masking their input would confirm a
   * guess.
   */
  async add(
    request: RequestOf<typeof TestDestination>,
    result: DestinationTestResult,
    mask?: SecretMask,
  ): Promise<string | undefined> {
    const { workspaceId, message, stage, force, expect, sourceId, createdBy, configOverride } = request;
    const { destinationId, destinationName, details } = result;
    const masked = <T>(value: T): T => (request.role === 'admin' && mask ? mask.in(value) : value);
    const overridden = Object.keys(configOverride ?? {});
    const asked = { message, stage, force, ...(expect && { expect }), ...(overridden.length > 0 && { overridden }) };
    const id = newKsuid();
    try {
      await this.runs.add({
        ...{ id, workspaceId, destinationId, destinationName, sourceId, createdBy },
        passed: details?.verdict?.passed,
        request: masked(asked),
        result: masked(kept(result)),
        identifiers: [message].flat().flatMap((one) => identifiersOf(one)),
      });
      return id;
    } catch (error) {
      this.logger.warn(`cannot store a test run: ${(error as Error).message}`);
      return undefined;
    }
  }
}

function kept(result: DestinationTestResult): JsonObject {
  if (Buffer.byteLength(JSON.stringify(result)) <= RESULT_BYTES_MAX) return result;
  const { data: _, ...rest } = result;
  return { ...rest, dataLeftOut: true };
}
