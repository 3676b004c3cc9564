import { Injectable } from '@nestjs/common';
import {
  CreateTransformation,
  type DeleteTransformation,
  type RequestOf,
  UpdateTransformation,
  type ValidationOutput,
  type WrittenTransformation,
} from '@weir/contracts';
import type { WriteScope } from '../database/workspace-database.js';
import { BESIDE_CODE, bounded } from '../gate/validation-output.js';
import { LinkRepository } from '../links/link.repository.js';
import { type Recipe, RevisionWriter } from '../revisions/revision.writer.js';
import { STOPPED_BY_DELETE, TrialRepository } from '../trials/trial.repository.js';
import { checkDestinations, draftOn } from './transformation.draft.js';
import { TRANSFORMATION } from './transformation.kind.js';

type CreateRequest = RequestOf<typeof CreateTransformation>;
type UpdateRequest = RequestOf<typeof UpdateTransformation>;

/** Writes transformations. */
@Injectable()
export class TransformationService {
  constructor(
    private readonly writer: RevisionWriter,
    private readonly links: LinkRepository,
    private readonly trials: TrialRepository,
  ) {}

  async create(request: CreateRequest): Promise<WrittenTransformation> {
    checkDestinations(request);
    return shown(
      request,
      await this.writer.create(TRANSFORMATION, request, this.recipe(CreateTransformation, request)),
    );
  }

  async update(request: UpdateRequest): Promise<WrittenTransformation> {
    checkDestinations(request);
    return shown(
      request,
      await this.writer.update(TRANSFORMATION, request, this.recipe(UpdateTransformation, request)),
    );
  }

  delete(request: RequestOf<typeof DeleteTransformation>): Promise<void> {
    return this.writer.delete(TRANSFORMATION, request, async (tx) => {
      await this.links.removeAll(tx, request.id, []);
      await this.trials.stop(tx, request.id, STOPPED_BY_DELETE);
    });
  }

  private recipe(call: Recipe['call'], request: CreateRequest | UpdateRequest): Recipe {
    const { destinationIds } = request;
    const connect = (tx: WriteScope, id: string) => this.links.replaceAll(tx, id, destinationIds ?? []);
    return {
      call,
      draft: (base) => draftOn(base, request),
      ...(destinationIds && { published: connect }),
    };
  }
}

/** Only requests with samples get the evidence. */
const shown = <T extends object>(
  { samples }: CreateRequest | UpdateRequest,
  { stored, output }: { stored: T; output: ValidationOutput },
) => ({ ...stored, ...(samples && { validationOutput: bounded(output, BESIDE_CODE) }) });
