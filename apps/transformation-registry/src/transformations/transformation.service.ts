import { Injectable } from '@nestjs/common';
import {
  AppError,
  CreateTransformation,
  type DeleteTransformation,
  invalidField,
  type Replaced,
  type RequestOf,
  UpdateTransformation,
  type ValidationOutput,
  type WrittenTransformation,
} from '@weir/contracts';
import { recordAct } from '@weir/service-kit';
import { BESIDE_CODE, bounded } from '../gate/output-limits.js';
import { LinkRepository } from '../links/link.repository.js';
import { type Recipe, RevisionWriter } from '../publishing/revision.writer.js';
import { TRANSFORMATION } from '../revisions/artifact.js';
import { type Candidates, NO_CANDIDATES } from '../revisions/nodes.js';
import { type Base, type Draft, revisionOn } from '../revisions/revision.draft.js';
import { STOPPED_BY_DELETE, TrialRepository } from '../revisions/trial.repository.js';
import { checkName, checkRunnable } from '../rules/fields.js';

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
    const { destinationIds, replace = true } = request;
    const recipe = { call, draft: (base: Base) => draftOn(base, request) };
    if (!destinationIds) return recipe;
    return {
      ...recipe,
      require: async (scope, id) => {
        if (!replace) refuseReplacing(await this.links.others(scope, id, destinationIds));
      },
      published: async (tx, id) => {
        const replaced = await this.links.others(tx, id, destinationIds);
        await this.links.replaceAll(tx, id, destinationIds);
        await recordAct(tx, request.createdBy, {
          action: 'transformation.connected',
          details: { id, destinationIds, disconnectsOthers: true },
        });
        return replaced.length > 0 ? { replaced } : {};
      },
    };
  }
}

/** A destination has one transformation, and a caller can ask for nobody to lose theirs. */
function refuseReplacing([first, ...more]: readonly Replaced[]): void {
  if (!first) return;
  const { destinationId, transformationId, name } = first;
  const others = more.length > 0 ? `, and ${more.length} more of these destinations have another one too` : '';
  throw new AppError(
    'conflict',
    `destination ${destinationId} has the transformation ${name} (${transformationId})${others}: ` +
      'publish without replace=false to replace it',
  );
}

/** Only requests with samples get the evidence. */
const shown = <T extends object>(
  { samples }: CreateRequest | UpdateRequest,
  { stored, output }: { stored: T; output: ValidationOutput },
) => ({ ...stored, ...(samples && { validationOutput: bounded(output, BESIDE_CODE) }) });

type Request = RequestOf<typeof CreateTransformation> | RequestOf<typeof UpdateTransformation>;

export function draftOn(base: Base, request: Request): Draft {
  const name = checkName(request.name ?? base.name);
  const revision = revisionOn(base, request, { name });
  return { revision, candidates: candidatesOf({ ...base, ...revision, name }, request) };
}

/** Candidates that have to pass: everything published, and drafts that come with events (ruling 5). */
function candidatesOf(
  { id, versionId, name, code, imports, language, externalId }: Base & Draft['revision'],
  { publish, events = [], samples = [], credentials, allowFetch }: Request,
): Candidates {
  if (!publish && events.length === 0) return NO_CANDIDATES;
  checkRunnable(name, language);
  return {
    ...NO_CANDIDATES,
    transformations: [{ id, versionId, name, imports, ...(externalId !== null && { externalId }) }],
    tests: new Map(events.length > 0 ? [[versionId, [{ name: 'events', input: events }]]] : []),
    runsSavedTests: publish,
    samples: new Map([[versionId, samples]]),
    reach: { credentials, allowFetch },
    unsavedCode: new Map([[versionId, code]]),
  };
}

/** Only published code can be linked (ruling 1). */
export function checkDestinations({ publish, destinationIds = [] }: Pick<Request, 'publish' | 'destinationIds'>) {
  if (publish || destinationIds.length === 0) return;
  throw invalidField('destinationIds', 'can only be connected when the transformation is published: use publish=true');
}
