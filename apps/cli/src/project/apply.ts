import type { Ids, Plan, Step } from './plan.js';
import type { Draft, Workspace } from './workspace.js';

type Of<Kind, Action = unknown> = Extract<Step, { kind: Kind } & (Action extends string ? { action: Action } : object)>;
type Put<Kind> = Extract<Step, { kind: Kind; action: 'create' | 'update' }>;

export interface ApplyOptions {
  /** Called before each step, with its number. */
  onStep?: (step: Step, number: number) => void;
  /** Called after each step. */
  onDone?: () => void;
}

/**
 * Runs the steps in order, and stops at the first that fails. Each step is a few requests that can be repeated: a plan that
 * is made after a failure or a kill has only the steps that are left.
 */
export async function apply(plan: Plan, workspace: Workspace, { onStep, onDone }: ApplyOptions = {}): Promise<void> {
  const run = new Run(workspace, plan.ids);
  for (const [at, step] of plan.steps.entries()) {
    onStep?.(step, at + 1);
    await run.step(step);
    onDone?.();
  }
}

class Run {
  private readonly drafts = new Map<string, Draft>();

  constructor(
    private readonly workspace: Workspace,
    private readonly ids: Ids,
  ) {}

  step(step: Step): Promise<void> {
    if (step.action === 'delete') return this.workspace.delete(step.kind, step);
    switch (step.kind) {
      case 'credential':
        return this.workspace.putCredential(step.name, step.body, step.action === 'update' ? step : undefined);
      case 'library':
      case 'transformation':
        return this.draft(step);
      case 'code':
        return this.publish(step);
      case 'source':
        return this.putSource(step);
      case 'destination':
        return this.putDestination(step);
      case 'connection':
        return this.putConnection(step);
    }
  }

  private async draft(step: Put<'library' | 'transformation'>): Promise<void> {
    if (step.body === undefined) return;
    const made = await this.workspace.draft(step.kind, step.action === 'update' ? step : undefined, step.body);
    this.ids.set(step.kind, step.name, made.id);
    this.drafts.set(`${step.kind}/${step.name}`, made);
  }

  private publish({ code }: Of<'code'>): Promise<void> {
    return this.workspace.publish(
      code.map(({ kind, name, existing, events, tests }) => {
        const draft = existing ?? this.drafts.get(`${kind}/${name}`);
        if (draft === undefined) throw new Error(`no draft of ${kind} "${name}"`);
        return {
          kind,
          versionId: draft.versionId,
          etag: draft.etag,
          ...(events && { events }),
          ...(tests && { tests }),
        };
      }),
    );
  }

  /** Privacy comes before the rest, so that no sample shows what it should not. */
  private async putSource(step: Put<'source'>): Promise<void> {
    if (step.action === 'create') return this.createSource(step);
    this.ids.set('source', step.name, step.id);
    if (step.privacy) await this.workspace.putPrivacy(step.writeKey, step.privacy, step.knownPrivacy);
    if (step.body) await this.workspace.updateSource(step, step.body);
  }

  /** SDKs may know the write key already, so a source takes no events until its privacy is set. */
  private async createSource({ name, body = {}, privacy }: Of<'source', 'create'>): Promise<void> {
    const waits = privacy !== undefined && body['enabled'] === true;
    const made = await this.workspace.createSource(waits ? { ...body, enabled: false } : body);
    this.ids.set('source', name, made.id);
    if (privacy) await this.workspace.putPrivacy(made.writeKey, privacy);
    const { writeKey: _, ...settings } = body;
    if (waits) await this.workspace.updateSource({ id: made.id }, settings);
  }

  /** No event passes without its transformation: the link comes before the settings that may enable the destination, and goes after them. */
  private async putDestination(step: Put<'destination'>): Promise<void> {
    const { transformation } = step;
    const known = step.action === 'update' ? step : undefined;
    const { id } = known ?? (await this.workspace.createDestination(step.body ?? {}));
    this.ids.set('destination', step.name, id);
    if (typeof transformation === 'string')
      await this.workspace.link(id, this.ids.get('transformation', transformation), known?.linkedId);
    if (known?.body) await this.workspace.updateDestination(known, known.body);
    if (transformation === null) await this.workspace.unlink(id, known?.linkedId);
  }

  private putConnection({ source, destination, enabled, ...step }: Put<'connection'>): Promise<void> {
    if (step.action === 'update') return this.workspace.updateConnection(step, { enabled });
    const sourceId = this.ids.get('source', source);
    return this.workspace.createConnection({
      sourceId,
      destinationId: this.ids.get('destination', destination),
      enabled,
    });
  }
}
